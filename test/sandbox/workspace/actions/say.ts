import type { Channel, LocalSlack, Person, PostOptions } from "../../slack/index.ts"
import type { Catalog } from "../catalog.ts"
import { RequestError } from "../requests.ts"
import { type WireMessage, wireMessage } from "../to-wire.ts"

export interface Spoken {
  readonly kind: "message" | "command" | "built_in"
  readonly message?: WireMessage
  readonly notice?: string
}

export interface Said {
  readonly person: Person
  readonly channel: Channel
  readonly text: string
  readonly thread?: string | undefined
  readonly files?: PostOptions["files"]
  readonly table?: PostOptions["table"]
}

/**
 * Handles a line as Slack's composer does: runs a command or posts anything else.
 * @throws RequestError if Slack wouldn't accept the line.
 */
export async function say(slack: LocalSlack, catalog: Catalog, utterance: Said): Promise<Spoken> {
  const { person, channel, text, thread, files = [], table } = utterance
  if (text.trim() === "" && files.length === 0 && table === undefined)
    throw new RequestError(400, "There's nothing to send. Type something first")
  const [, name, rest = ""] = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name !== undefined) return await command(slack, catalog, utterance, name, rest)
  const posted = await person.post(channel.id, text, { thread, files, table })
  return { kind: "message", message: wireMessage(posted) }
}

async function command(
  slack: LocalSlack,
  catalog: Catalog,
  { person, channel, thread }: Said,
  name: string,
  rest: string,
): Promise<Spoken> {
  const known = catalog.commands.find((one) => one.name === name)
  if (known === undefined) {
    const all = catalog.commands.map((one) => one.name).join(", ")
    throw new RequestError(404, `${name} is not a command here. Choose from ${all}`)
  }
  if (thread !== undefined) {
    throw new RequestError(
      409,
      `${name} is not supported in threads: Slack runs commands only in channels. Mention the bot here instead.`,
    )
  }
  if (known.builtIn) return membership(slack, channel, name, rest)
  const { shown } = await person.slash(channel.id, name, rest)
  return { kind: "command", ...(shown ? { message: wireMessage(shown) } : {}) }
}

/** Runs `/invite @bot` and `/remove @bot`, with the bot's handle or its name. */
function membership(slack: LocalSlack, channel: Channel, name: string, rest: string): Spoken {
  const bot = slack.users().find((user) => user.role === "bot")
  const wanted = rest.trim().replace(/^@/, "").toLowerCase()
  if (bot === undefined || (wanted !== bot.name && wanted !== bot.realName.toLowerCase())) {
    throw new RequestError(
      400,
      `Here, ${name} works only for the bot: ${name} @${bot?.name ?? "bot"}`,
    )
  }
  if (channel.kind === "im")
    throw new RequestError(409, "You can't add or remove anyone in a direct message")
  const joins = name === "/invite"
  slack.setBotMembership(channel.id, joins)
  const notice = joins ? "is now in" : "has left"
  return { kind: "built_in", notice: `${bot.realName} ${notice} #${channel.name}` }
}
