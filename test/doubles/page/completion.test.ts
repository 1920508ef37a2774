import { expect, test } from "vitest"
import { commandIn, complete } from "../../sandbox/page/chat/completion.ts"

const model = {
  catalog: {
    commands: [
      { name: "/docs-agent", usage: "<words>", description: "Ask", builtIn: false },
      { name: "/docs-visitors", usage: "[7d]", description: "Count", builtIn: false },
    ],
    messageShortcuts: [],
  },
  users: new Map([
    [
      "U1",
      { id: "U1", name: "docs-agent", realName: "Docs Agent", role: "bot" as const, tz: "UTC" },
    ],
    ["U2", { id: "U2", name: "ada", realName: "Ada", role: "member" as const, tz: "UTC" }],
  ]),
  channels: new Map(),
}

const titles = (text: string, caret = text.length) =>
  complete(text, caret, model)?.suggestions.map(({ insert }) => insert)

test.each([
  ["/", ["/docs-agent ", "/docs-visitors "]],
  ["/docs-v", ["/docs-visitors "]],
  ["/nothing", undefined],
  ["words /docs", undefined],
  ["@", ["@Docs Agent ", "@Ada "]],
  ["please @doc", ["@Docs Agent "]],
  ["please @Docs", ["@Docs Agent "]],
  ["please @docs-a", ["@Docs Agent "]],
  ["please @Docs A", ["@Docs Agent "]],
  ["please @Docs please", undefined],
  ["/invite @Docs Agent", undefined],
  ["/invite @docs-agent", undefined],
  ["mail@ad", undefined],
  ["@ada and on", undefined],
])("after %j comes %j", (typed, suggestions) => {
  expect(titles(typed)).toEqual(suggestions)
})

test("only what stands before the caret is completed", () => {
  expect(titles("hello @a there", 8)).toEqual(["@Ada "])
  expect(complete("hello @a there", 8, model)?.from).toBe(6)
})

test("the usage belongs to the command whose words are typed", () => {
  expect(commandIn("/docs-agent fix", model.catalog.commands)?.usage).toBe("<words>")
  expect(commandIn("/docs-agent", model.catalog.commands)).toBeUndefined()
})
