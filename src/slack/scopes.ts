/** Scopes that the bot needs, with their purposes; `bot` in `manifest.yml`. */
export const SCOPES = {
  "app_mentions:read": "to receive mentions",
  "channels:history": "to read threads that mention the app",
  "channels:read": "to tell public channels from private ones, for `results on`",
  "chat:write": "to post progress and results",
  commands: "for /docs-agent, /docs-visitors and the message shortcut",
  "files:write": "to upload CSV files",
  "groups:history": "to read threads in private channels",
  "im:history": "to receive direct messages",
  "mpim:history": "to receive group direct messages",
  "users:read": "to recognize guests and read names and time zones",
} as const satisfies Record<string, string>

/** Optional scopes, with what each adds; `bot_optional` in `manifest.yml`. */
export const OPTIONAL_SCOPES = {
  "chat:write.public": "to post in public channels without an invitation",
  "files:read": "to include text files attached to a request",
} as const satisfies Record<string, string>
