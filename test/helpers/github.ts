import { onTestFinished } from "vitest"
import { pushToGitHub } from "../sandbox/docs-service/push-to-github.ts"
import type { DocsService, DocsServiceOptions } from "../sandbox/docs-service/service.ts"
import { type LocalGitHub, startLocalGitHub } from "../sandbox/github/local-github.ts"
import type { PushedPull } from "../sandbox/github/pull.ts"
import { type Answer, docsServiceForTest, requestRaw } from "./docs-http.ts"

export const TOKEN = "token-of-the-test"

/** Starts the local GitHub on a manual clock, and closes it when the test ends. */
export async function gitHubForTest(): Promise<{ github: LocalGitHub; clock: { now: number } }> {
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const github = await startLocalGitHub({ tokens: [TOKEN], now: () => clock.now })
  onTestFinished(() => github.close())
  return { github, clock }
}

/** Starts the local GitHub, and the documentation service that opens its pull requests there. */
export async function gitHubWithAgent(
  options: Partial<DocsServiceOptions> = {},
): Promise<{ github: LocalGitHub; service: DocsService; clock: { now: number } }> {
  const { github, clock } = await gitHubForTest()
  const { service } = await docsServiceForTest({
    repositoriesUrl: github.url,
    now: () => clock.now,
    ...options,
  })
  pushToGitHub(service, github)
  return { github, service, clock }
}

export function push(github: LocalGitHub, more: Partial<PushedPull> = {}) {
  return github.push({
    repository: "acme/docs",
    number: 7,
    title: "Fix the quickstart",
    branch: "docs-agent/change-7",
    openedAt: Date.UTC(2026, 10, 20, 12),
    asked: [{ at: Date.UTC(2026, 10, 20, 11), prompt: "fix the quickstart" }],
    files: [{ path: "quickstart.mdx", before: "a\n", after: "b\n" }],
    isWorking: false,
    ...more,
  })
}

/** Sends one API request, with the token unless other headers are given. Follows no redirects. */
export async function api(
  github: LocalGitHub,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const url = path.startsWith("http") ? path : `${github.apiUrl}${path}`
  const sent = { authorization: `Bearer ${TOKEN}`, "user-agent": "test", ...headers }
  return requestRaw(url, { headers: sent })
}
