/** Slack's ids: capitals and digits, of which the first says of what it is. */
export function isUserId(text: string): boolean {
  return /^[UW][A-Z0-9]{6,}$/.test(text)
}

/** A direct message has an id too, and is no place to ask from a list. */
export function isChannelId(text: string): boolean {
  return /^[CG][A-Z0-9]{6,}$/.test(text)
}

/** In place of Slack's code: names stand where ids belong, and Slack need not be asked. */
export const NO_ID = { code: "no_id" } as const
