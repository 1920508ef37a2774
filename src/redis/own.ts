import { keys } from "./keys.ts"
import { forgetOwn, keepOwn as keep } from "./own.lua.ts"
import type { Store } from "./script.ts"
import { visitorsKeys } from "./visitors-keys.ts"

/** What is kept for a while and is one person's alone, and may make room for what comes later. */
const KINDS = [keys.draft(""), visitorsKeys.shown(""), visitorsKeys.shownGaps("")]
/** Beside what is yet to be done for them, which makes room for nothing. */
const ALL_KINDS = [...KINDS, keys.deferredPayload("")]
/** Of one person at a time: forms, questions and reports on all their screens. */
const MOST = 50
/** bytes; the longest message that Slack takes is 160,000. */
const MOST_BYTES = 2_000_000

/**
 * Keeps something of one person, who can have so much of it: the oldest makes room.
 * @param what `deferred`: key of the deferred payload that it is about. @returns false where that is gone
 */
export async function keepOwn(
  on: Store,
  user: string,
  record: string,
  { value, keepMs, deferred = "" }: { value: string; keepMs: number; deferred?: string },
): Promise<boolean> {
  const args = { value, keepMs, deferred, most: MOST, mostBytes: MOST_BYTES }
  return (await keep(on, { record, own: keys.own(user) }, args, KINDS)) === 1
}

/** Deletes all of it. */
export async function forgetOwnOf(on: Store, user: string): Promise<void> {
  await forgetOwn(on, { own: keys.own(user) }, {}, ALL_KINDS)
}
