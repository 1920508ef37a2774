import { composeMessage } from "../person/compose.ts"
import { formatMicros } from "../workspace/ids.ts"
import { insertMessage } from "../workspace/messages.ts"
import { openConversation, type Workspace } from "../workspace/workspace.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, EVE, GUS, SHARED } from "./people.ts"

/** Author and words. */
type Line = readonly [by: string, text: string]

/** Channel, age in minutes, and what was said there to ask the docs agent about: root and replies. */
const conversations: readonly (readonly [string, number, Line, ...Line[]])[] = [
  [
    DOCS,
    185,
    [BEN, "The quickstart still says Node 18. Three people tripped over it this week."],
    [CLEO, "We've required 20.19 since the last release."],
    [BEN, "It's on the install page too, under Requirements."],
  ],
  [
    DOCS,
    94,
    [GUS, "Is there a page on rotating API keys? I only found https://docs.example.com/keys"],
    [ADA, "Only half a page. It should say that keys last 90 days."],
  ],
  [DOCS, 21, [CLEO, "Who's checking the visitor numbers before the meeting?"]],
  [
    EDITORS,
    62,
    [CLEO, "Draft for the release notes: we're renaming Workspaces to Projects everywhere."],
    [ADA, "Then the sidebar and the API reference need to change too."],
  ],
  [SHARED, 40, [EVE, "Hi from the partner side. Your webhook page doesn't mention retries."]],
]

/** Adds the conversations to the workspace's past, without notifying the bot. */
export function seedConversations(workspace: Workspace): void {
  openConversation(workspace, [ADA, BEN], true)
  for (const [channel, minutesAgo, root, ...replies] of conversations) {
    const at = workspace.now() - minutesAgo * 60_000
    const ts = say(workspace, channel, root, at, undefined)
    replies.forEach((line, index) => {
      say(workspace, channel, line, at + (index + 1) * 90_000, ts)
    })
  }
}

function say(
  workspace: Workspace,
  channel: string,
  [user, text]: Line,
  at: number,
  threadTs: string | undefined,
): string {
  const ts = formatMicros(at * 1000 + 100)
  insertMessage(workspace, { channel, user, threadTs, ...composeMessage(workspace, text) }, ts)
  return ts
}
