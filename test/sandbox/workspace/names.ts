import type { Channel, LocalSlack, Person } from "../slack/index.ts"
import { RequestError } from "./request-error.ts"

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
