import { type Digest, dueAt, postId } from "../../src/visitors/stored-posts.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { said, useVisitors, type VisitorsBed } from "./visitors.ts"

/** Returns what `useVisitors` does, and `daily` for a channel that gets digests. */
export function useDigests() {
  const visitors = useVisitors()

  /** Subscribes a channel to a daily digest at 14:00 in Paris, 13:00 UTC. */
  async function daily(options: Parameters<typeof visitors.bed>[0] = {}, channel = DOCS) {
    const h = await visitors.bed(options)
    await type(h, "subscribe daily at 14:00", { channel })
    return h
  }
  return { ...visitors, daily }
}

/** Types a command, and waits until the channel has another message. */
export async function type(h: VisitorsBed, words: string, { user = ADA, channel = DOCS } = {}) {
  const before = said(h, channel).length
  await h.slack.as(user).slash(channel, "/docs-visitors", words)
  await h.slack.until(() => said(h, channel).length > before)
}

export const digests = (h: VisitorsBed, channel = DOCS) =>
  said(h, channel).filter(({ text }) => text.startsWith("Docs traffic "))

/** Stores a digest that is due at this time in ms, as if its channel had been told long ago. */
export async function storeDigest(
  { services }: TestBed,
  due: number,
  facts: Omit<Digest, "kind" | "user">,
) {
  const digest = { kind: "digest", user: ADA, ...facts } as const
  await services.frontVisitors.posts.change(postId(DOCS, digest), () =>
    dueAt(due, { channel: DOCS, subscriptions: [digest] }),
  )
}
