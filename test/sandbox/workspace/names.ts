import type { Channel, LocalSlack, Person } from "../slack/index.ts"
import { RequestError } from "./requests.ts"
import { type WireMessage, wireMessage } from "./to-wire.ts"

/** Finds a person by id or handle. @throws RequestError that lists everyone. */
export function findPerson(slack: LocalSlack, wanted: string): Person {
  const name = wanted.replace(/^@/, "").toLowerCase()
  const people = slack.users().filter((user) => user.role !== "bot")
  const found = people.find((user) => user.id === wanted || user.name === name)
  if (found) return slack.as(found.id)
  const known = people.map((user) => user.name).join(", ")
  throw new RequestError(404, `No one is named "${wanted}". Choose from ${known}`)
}

/** Finds a channel by id or name. @throws RequestError that lists the channels. */
export function findChannel(slack: LocalSlack, wanted: string): Channel {
  const name = wanted.replace(/^#/, "")
  const channels = slack.channels()
  const found = channels.find(
    (channel) => channel.id === wanted || (channel.name !== "" && channel.name === name),
  )
  if (found) return found
  const known = channels.map((channel) => channel.name || channel.id).join(", ")
  throw new RequestError(404, `No channel is named "${wanted}". Choose from ${known}`)
}

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
