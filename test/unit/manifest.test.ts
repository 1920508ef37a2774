import { expect, test } from "vitest"
import { routes } from "../../src/handlers/routes.ts"
import { ENTRIES } from "../../src/metrics/labels.ts"
import { OPTIONAL_SCOPES, SCOPES } from "../../src/slack/scopes.ts"
import { createAppLink, readManifest, toSocketMode } from "../helpers/manifest.ts"

const { features, oauth_config, settings } = readManifest()

const names = {
  commands: Object.keys(routes.commands),
  events: Object.keys({ ...routes.events, ...routes.homes }),
  shortcuts: Object.keys(routes.shortcuts),
}

test("it keeps Slack's rules", () => {
  expect(settings.socket_mode_enabled).toBe(false)
  expect(features.bot_user.display_name).toBe("Docs Agent")
})

test("commands are exactly the registered ones", () => {
  expect(features.slash_commands.map(({ command }) => command).toSorted()).toEqual(
    names.commands.toSorted(),
  )
})

test("shortcuts are exactly the registered ones", () => {
  expect(features.shortcuts.map(({ callback_id }) => callback_id).toSorted()).toEqual(
    names.shortcuts.toSorted(),
  )
})

test("events are exactly the registered ones", () => {
  // Bolt hears every kind of message as "message"; the bot takes direct ones only.
  const heard = names.events.flatMap((event) =>
    event === "message" ? ["message.im", "message.mpim"] : event,
  )
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(heard.toSorted())
  expect(features.app_home.messages_tab_enabled).toBe(true)
  expect(features.app_home.home_tab_enabled).toBe(true)
})

test("every command and event is counted under its own name", () => {
  expect(ENTRIES).toEqual(expect.arrayContaining([...names.commands, ...names.events]))
})

test("scopes are exactly the needed ones", () => {
  expect(oauth_config.scopes.bot).toEqual(Object.keys(SCOPES))
  expect(oauth_config.scopes.bot_optional).toEqual(Object.keys(OPTIONAL_SCOPES))
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
