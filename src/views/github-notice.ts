import type { PullRef } from "../ports/github.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

/** To admins, once: cards no longer follow pull requests, and what to do about it. */
export function gitHubRefused(what: "token" | "repository", { owner, repo }: PullRef): Message {
  return what === "token"
    ? line(
        ":warning: *GitHub rejected the token.* Cards no longer show what happens to pull requests; links still work. Set a new `GITHUB_TOKEN` and restart me.",
      )
    : line(
        `:warning: *The GitHub token can't read ${foreignLine(`${owner}/${repo}`, 150)}.* Cards don't show what happens to its pull requests; links still work. Give the token read access to pull requests there.`,
      )
}
