import { expect, test } from "vitest"
import { readWords } from "../../src/asking/parse-typed-text.ts"
import { OPTIONAL_SCOPES, SCOPES } from "../../src/slack/scopes.ts"
import { createAppLink, toSocketMode } from "../helpers/manifest.ts"
import { registeredNames } from "../helpers/registered-names.ts"
import { type Manifest, readAgentManifest, readManifest } from "../sandbox/manifest.ts"
import { AGENT_EVENTS, AGENT_SCOPES } from "../sandbox/slack/index.ts"

const plain = readManifest()
const agent = readAgentManifest()
const both = [
  ["manifest.yml", plain],
  ["manifest.agent.yml", agent],
] as const
const { features, oauth_config, settings } = plain

test.each(both)("%s keeps Slack's rules", (_name, manifest) => {
  expect(manifest.settings.socket_mode_enabled).toBe(false)
  expect(manifest.features.bot_user.display_name).toBe("Docs Agent")
})

test("commands, shortcuts and events are exactly the registered ones", () => {
  const names = registeredNames()
  const commands = features.slash_commands.map(({ command }) => command)
  const shortcuts = features.shortcuts.map(({ callback_id }) => callback_id)
  expect(commands.toSorted()).toEqual(names.commands.toSorted())
  expect(shortcuts.toSorted()).toEqual(names.shortcuts.toSorted())
  // Bolt calls every kind of message "message"; the bot handles only direct ones.
  const heard = names.events
    .filter((event) => !AGENT_EVENTS.includes(event))
    .flatMap((event) => (event === "message" ? ["message.im", "message.mpim"] : event))
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(heard.toSorted())
  expect(features.app_home.messages_tab_enabled).toBe(true)
  expect(features.app_home.home_tab_enabled).toBe(true)
})

test("scopes are exactly the needed ones", () => {
  expect(oauth_config.scopes.bot).toEqual(Object.keys({ ...SCOPES, ...OPTIONAL_SCOPES }).toSorted())
  expect(oauth_config.scopes.bot_optional).toEqual(Object.keys(OPTIONAL_SCOPES))
})

test.each(both)("every request of %s comes to the one path that the bot serves", (_name, made) => {
  const urls = [
    ...made.features.slash_commands.map(({ url }) => url),
    made.settings.event_subscriptions.request_url,
    made.settings.interactivity.request_url,
  ]
  expect(new Set(urls)).toEqual(new Set(["https://HOST/slack/events"]))
})

test.each(both)("%s in Socket Mode has no address, and nothing else changes", (_name, made) => {
  const socket = toSocketMode(made)
  const names = (of: Manifest) => JSON.stringify(of).match(/"\w+(?<!url)":/g)
  expect(names(socket)).toEqual(names(made))
  expect(JSON.stringify(socket)).not.toContain("HOST")
  expect(socket.settings.socket_mode_enabled).toBe(true)
  socket.settings.socket_mode_enabled = false
  expect(made).toMatchObject(socket)
  // Browsers and Slack accept addresses of this length.
  expect(createAppLink(socket).length).toBeLessThan(4000)
})

test("as an agent nothing but the view, its scope and its event is added to what every plan takes", () => {
  const { agent_view, ...others } = agent.features
  const { bot: scopes, ...optional } = agent.oauth_config.scopes
  const { bot_events, ...url } = agent.settings.event_subscriptions
  const without = (names: readonly string[], added: readonly string[]) =>
    names.filter((name) => !added.includes(name))
  // The local Slack grants an agent what its manifest requests.
  expect(without(scopes, oauth_config.scopes.bot)).toEqual(AGENT_SCOPES)
  expect(without(bot_events, settings.event_subscriptions.bot_events)).toEqual(AGENT_EVENTS)
  const events = { ...url, bot_events: without(bot_events, AGENT_EVENTS) }
  expect({
    ...agent,
    features: others,
    oauth_config: { scopes: { ...optional, bot: without(scopes, AGENT_SCOPES) } },
    settings: { ...agent.settings, event_subscriptions: events },
  }).toEqual(plain)

  const prompts = agent_view?.suggested_prompts ?? []
  expect(prompts).toHaveLength(4)
  expect(new Set(prompts.map(({ title }) => title)).size).toBe(4)
  // Each is a request, whoever chooses it.
  for (const { message } of prompts)
    expect(readWords(message, "mention")).toEqual({ kind: "prompt", words: message })
})
