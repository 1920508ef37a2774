import { ADA, DOCS, type SharedFile } from "../sandbox/slack/index.ts"
import type { Bed } from "./test-bed.ts"

export const NOTES: SharedFile = { name: "notes.md", content: "# Keys\nlast 90 days\n" }
export const PICTURE: SharedFile = { name: "screen.png", content: Buffer.from([0x89, 0x50, 0, 1]) }

/** Mentions the bot with files. @returns the service's prompt and the message */
export async function ask(h: Bed, files: readonly SharedFile[], words = "use the attached") {
  const known = h.docs.creations.length
  const root = await h.slack.as(ADA).mention(DOCS, words, { files })
  await h.docsUntil(({ creations }) => creations.length > known)
  return { root, prompt: h.docs.creations.at(-1)?.prompt ?? "" }
}
