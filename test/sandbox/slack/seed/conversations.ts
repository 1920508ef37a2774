import { composeMessage } from "../person/compose.ts"
import { formatMicros } from "../workspace/ids.ts"
import { insertMessage } from "../workspace/messages.ts"
import { openConversation, type Workspace } from "../workspace/workspace.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, EVE, GUS, SHARED } from "./ids.ts"

interface Line {
  readonly by: string
  readonly text: string
}

interface Conversation extends Line {
  readonly channel: string
  readonly minutesAgo: number
  readonly replies?: readonly Line[]
}

/** Conversations to ask the docs agent about. */
const conversations: readonly Conversation[] = [
  {
    channel: DOCS,
    minutesAgo: 185,
    by: BEN,
    text: "The quickstart still says Node 18. Three people tripped over it this week.",
    replies: [
      { by: CLEO, text: "We've required 20.19 since the last release." },
      { by: BEN, text: "It's on the install page too, under Requirements." },
    ],
  },
  {
    channel: DOCS,
    minutesAgo: 94,
    by: GUS,
    text: "Is there a page on rotating API keys? I only found https://docs.example.com/keys",
    replies: [{ by: ADA, text: "Only half a page. It should say that keys last 90 days." }],
  },
  {
    channel: DOCS,
    minutesAgo: 21,
    by: CLEO,
    text: "Who's checking the visitor numbers before the meeting?",
  },
  {
    channel: EDITORS,
    minutesAgo: 62,
    by: CLEO,
    text: "Draft for the release notes: we're renaming Workspaces to Projects everywhere.",
    replies: [{ by: ADA, text: "Then the sidebar and the API reference need to change too." }],
  },
  {
    channel: SHARED,
    minutesAgo: 40,
    by: EVE,
    text: "Hi from the partner side. Your webhook page doesn't mention retries.",
  },
]

/** Adds the conversations to the workspace's past, without notifying the bot. */
export function seedConversations(workspace: Workspace): void {
  openConversation(workspace, [ADA, BEN], true)
  for (const { minutesAgo, replies = [], ...root } of conversations) {
    const at = workspace.now() - minutesAgo * 60_000
    const ts = say(workspace, root.channel, root, at, undefined)
    replies.forEach((line, index) => {
      say(workspace, root.channel, line, at + (index + 1) * 90_000, ts)
    })
  }
}

function say(
  workspace: Workspace,
  channel: string,
  line: Line,
  at: number,
  threadTs: string | undefined,
): string {
  const ts = formatMicros(at * 1000 + 100)
  const { by: user, text } = line
  insertMessage(workspace, { channel, user, threadTs, ...composeMessage(workspace, text) }, ts)
  return ts
}
