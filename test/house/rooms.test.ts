import { builtinModules } from "node:module"
import { expect, test } from "vitest"
import { importsIn, sourcesIn } from "../helpers/sources.ts"

/**
 * Rooms of `src`, lowest first. A room imports from those above its line in this table, never from
 * those below, types included; `packages` are the only ones of npm that it may import.
 */
const ROOMS: readonly { room: string; packages: readonly string[]; because: string }[] = [
  { room: "lib", packages: ["luxon", "pino", "undici", "zod"], because: "any service needs it" },
  { room: "config", packages: ["undici", "zod"], because: "settings are read before all is built" },
  { room: "store", packages: ["ioredis", "zod"], because: "Redis keeps things, knowing no domain" },
  { room: "slack", packages: ["@slack/", "undici", "zod"], because: "one outside party" },
  { room: "docs-service", packages: ["undici", "zod"], because: "one outside party" },
  { room: "jobs", packages: ["zod"], because: "a job's life is pure, but for its stores" },
  { room: "messages", packages: ["@slack/types"], because: "facts in, a Slack payload out" },
  { room: "asking", packages: ["zod"], because: "a request becomes durable before it may start" },
  { room: "limit", packages: ["bottleneck", "zod"], because: "what is durable starts in its turn" },
  { room: "following", packages: ["zod"], because: "what has started is followed and told" },
  {
    room: "pulls",
    packages: ["luxon", "undici", "zod"],
    because: "a link comes of what is followed",
  },
  {
    room: "visitors",
    packages: ["@slack/types", "bottleneck", "luxon", "zod"],
    because: "what readers miss becomes a request",
  },
  {
    room: "operating",
    packages: ["@slack/types", "ioredis", "prom-client", "zod"],
    because: "it looks into all rooms",
  },
  { room: "listeners", packages: ["@slack/bolt", "zod"], because: "they call the use cases" },
  { room: "", packages: ["@slack/bolt", "undici", "zod"], because: "the entry points wire it all" },
]
const floorOf = new Map(ROOMS.map(({ room }, floor) => [room, floor]))

const files = sourcesIn("src")
const importsOf = importsIn("src")
const roomOf = (file: string) => (file.includes("/") ? (file.split("/")[0] ?? "") : "")
const isOwn = (name: string) => name.endsWith(".ts")
/** Returns how all names within a scope, such as `@slack/`, or below a package begin. */
const scopeOf = (name: string) => (name.endsWith("/") ? name : `${name}/`)

test("every folder of src is a room with a reason", () => {
  const folders = new Set(files.map(roomOf))
  expect([...folders].filter((room) => !floorOf.has(room))).toEqual([])
})

test("no room imports from one above it, types included", () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter(isOwn)
      .filter((other) => (floorOf.get(roomOf(other)) ?? 0) > (floorOf.get(roomOf(file)) ?? 0))
      .map((other) => `${file} -> ${other}`),
  )
  expect(upward).toEqual([])
})

test("a room imports only the packages that it names", () => {
  const builtin = new Set(builtinModules)
  const foreign = files.flatMap((file) => {
    const allowed = ROOMS[floorOf.get(roomOf(file)) ?? 0]?.packages ?? []
    return importsOf(file)
      .filter((name) => !isOwn(name) && !name.startsWith("node:") && !builtin.has(name))
      .filter((name) => !allowed.some((one) => one === name || name.startsWith(scopeOf(one))))
      .map((name) => `${file} -> ${name}`)
  })
  expect(foreign).toEqual([])
})

const tests = sourcesIn("test")
const importsOfTest = importsIn("test")
const SLACK = "sandbox/slack/"
const isOfSlack = (file: string) => file.startsWith(SLACK)

test("the local Slack knows no bot: it imports only itself, `kit` and two packages", () => {
  const foreign = tests.filter(isOfSlack).flatMap((file) =>
    importsOfTest(file)
      .filter((name) => !isOfSlack(name) && !name.startsWith("sandbox/kit/"))
      .filter((name) => !/^(node:|zod$|ws$)/.test(name))
      .map((name) => `${file} -> ${name}`),
  )
  expect(foreign).toEqual([])
})

test("the local Slack has one public file: code outside imports from no other", () => {
  const past = tests
    .filter((file) => !isOfSlack(file))
    .flatMap((file) => importsOfTest(file).map((name) => [file, name] as const))
    .filter(([, name]) => isOfSlack(name) && name !== `${SLACK}index.ts`)
    .map(([file, name]) => `${file} -> ${name}`)
  expect(past).toEqual([])
})
