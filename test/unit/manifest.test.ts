import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { ENTRIES } from "../../src/metrics/labels.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { createAppLink, readManifest, toSocketMode } from "../helpers/manifest.ts"

const { features, oauth_config, settings } = readManifest()

/** First arguments of `app.<kind>("…")` in the handlers. */
function registered(kind: "command" | "event" | "shortcut"): string[] {
  const folder = new URL("../../src/handlers/", import.meta.url)
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
  const call = new RegExp(`\\bapp\\.${kind}\\(\\s*"([^"]+)"`, "g")
  return sources
    .flatMap((source) => [...source.matchAll(call)].map((match) => match[1] ?? ""))
    .toSorted()
}

test("it keeps Slack's rules", () => {
  expect(settings.socket_mode_enabled).toBe(false)
  expect(features.bot_user.display_name).toBe("Docs Agent")
})

test("commands are exactly the registered ones", () => {
  expect(features.slash_commands.map(({ command }) => command).toSorted()).toEqual(
    registered("command"),
  )
})

test("shortcuts are exactly the registered ones", () => {
  expect(features.shortcuts.map(({ callback_id }) => callback_id).toSorted()).toEqual(
    registered("shortcut"),
  )
})

test("events are exactly the registered ones", () => {
  // Bolt hears every kind of message as "message"; the bot takes direct ones only.
  const heard = registered("event").map((event) => (event === "message" ? "message.im" : event))
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(heard.toSorted())
  expect(features.app_home.messages_tab_enabled).toBe(true)
  expect(features.app_home.home_tab_enabled).toBe(true)
})

test("every command and event is counted under its own name", () => {
  const names: readonly string[] = ENTRIES
  for (const name of [...registered("command"), ...registered("event")])
    expect(names).toContain(name)
})

test("scopes are exactly the needed ones", () => {
  expect(oauth_config.scopes.bot).toEqual(Object.keys(SCOPES))
})

test("every request comes to the one path that the bot serves", () => {
  const urls = [
    ...features.slash_commands.map(({ url }) => url),
    settings.event_subscriptions.request_url,
    settings.interactivity.request_url,
  ]
  expect(new Set(urls)).toEqual(new Set(["https://HOST/slack/events"]))
})

test("in Socket Mode no address is left, and nothing else changes", () => {
  const socket = toSocketMode(readManifest())
  expect(JSON.stringify(socket)).not.toContain("HOST")
  expect(socket.settings.socket_mode_enabled).toBe(true)
  expect(socket.oauth_config).toEqual(oauth_config)
  // Browsers and Slack take an address of this length.
  expect(createAppLink(socket).length).toBeLessThan(4000)
})
