import { existsSync, readFileSync } from "node:fs"
import { settings } from "../config/settings.ts"

/** Says how to read a `.env` file that holds settings and was not read: the most common reason for missing ones. */
export function unreadEnvFile(env: Readonly<Record<string, string | undefined>>): string {
  if (!existsSync(".env")) return ""
  const names = readFileSync(".env", "utf8").matchAll(/^([A-Z_]+)=./gm)
  const unread = [...names].some(([, name = ""]) => name in settings.shape && !env[name])
  return unread
    ? "\nThe .env file in this folder was not read. Start with: node --env-file=.env dist/main.js"
    : ""
}
