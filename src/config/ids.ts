import type { Config } from "./config.ts"

/** Slack's ids: capitals and digits, of which the first says of what it is. */
export function isUserId(text: string): boolean {
  return /^[UW][A-Z0-9]{6,}$/.test(text)
}

/** A direct message has an id too, and is no place to ask from a list. */
export function isChannelId(text: string): boolean {
  return /^[CG][A-Z0-9]{6,}$/.test(text)
}

/** Of a longer one the beginning says enough. Characters. */
const SHOWN = 40

/**
 * Describes the entries in the lists of people and channels that cannot be such an id, and so let
 * nobody in and notify nobody. Pure.
 */
export function unlikelyIds({ access, docs }: Pick<Config, "access" | "docs">): string[] {
  const routed = docs.projects.flatMap(({ channels }) => [...channels])
  return [
    ...unlikely("ADMIN_USERS", access.admins, isUserId, PERSON),
    ...unlikely("ALLOWED_USERS", access.users, isUserId, PERSON),
    ...unlikely("ALLOWED_CHANNELS", access.channels, isChannelId, CHANNEL),
    ...unlikely("DOCS_PROJECTS", routed, isChannelId, CHANNEL),
  ]
}

const PERSON = "a person's Slack ID, which is under profile → ⋮ → Copy member ID"
const CHANNEL = "a channel's Slack ID, which is at the bottom of the channel's details"

function unlikely(
  setting: string,
  listed: Iterable<string>,
  isId: (text: string) => boolean,
  id: string,
): string[] {
  return [...listed].flatMap((text) =>
    isId(text) ? [] : `${setting}: ${text.slice(0, SHOWN)} cannot be ${id}`,
  )
}
