/** Every scope the bot's token needs, and what for. `manifest.yml` asks for exactly these. */
export const SCOPES = {
  "app_mentions:read": "to hear its mentions",
  "channels:history": "to read the thread it is mentioned in, and to look up an unsure post",
  "chat:write": "to post cards and closing replies",
  commands: "for /docs-agent, /docs-visitors and the message shortcut",
  "files:write": "to upload CSV files",
  "groups:history": "the same in private channels",
  "im:history": "to be asked in direct messages",
  "users:read": "to tell members from guests, and for names and time zones",
} as const satisfies Record<string, string>

export type Scope = keyof typeof SCOPES

/** Needed scopes that are not granted, in the order of the list. Pure. */
export function missingScopes(granted: readonly string[]): Scope[] {
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => !granted.includes(scope))
}
