import type { LocalSlack } from "../slack/index.ts"
import { findChannel, findPerson } from "./names.ts"
import { RequestError } from "./request-error.ts"
import { type WireMessage, wireMessage } from "./to-wire.ts"

/**
 * Returns messages of `channel`, with threads, or of one `thread`; with `as`, as that person sees
 * them, including messages only they see.
 */
export function readMessages(slack: LocalSlack, query: URLSearchParams): WireMessage[] {
  const wanted = query.get("channel")
  if (wanted === null) throw new RequestError(400, "Specify a channel: /api/messages?channel=docs")
  const channel = findChannel(slack, wanted)
  const as = query.get("as")
  const reader = as === null ? undefined : findPerson(slack, as)
  const own = reader ? slack.ephemerals(reader.id).filter((m) => m.channel === channel.id) : []
  const thread = query.get("thread")
  return [...slack.channel(channel.id).all(), ...own]
    .filter((message) => thread === null || message.ts === thread || message.threadTs === thread)
    .toSorted((a, b) => Number(a.ts) - Number(b.ts))
    .map(wireMessage)
}
