import fc from "fast-check"
import type { JsonObject } from "../sandbox/kit/json.ts"
import { ADA, type DeliveryRecord, DOCS } from "../sandbox/slack/index.ts"
import { hostileText } from "./hostile.ts"
import type { ReadingBed } from "./reading.ts"

export type Delivery = DeliveryRecord["delivery"]

export const FORM = "application/x-www-form-urlencoded"
export const JSON_TYPE = "application/json"

/** Makes Slack deliver one of each kind of request. Resolves to the deliveries. */
export async function deliverOneOfEach(h: ReadingBed): Promise<Delivery[]> {
  const { slack, docs } = h
  docs.planAll({ ending: "never", afterMs: 0 })
  const ada = slack.as(ADA)
  await ada.slash(DOCS, "/docs-agent", "a command of Slack's")
  const card = await h.botSays(/Working on it/)
  await ada.mention(DOCS, "a mention of Slack's")
  await ada.directMessage("a direct message of Slack's")
  await ada.openHome()
  await ada.slash(DOCS, "/docs-visitors", "7d")
  await ada.click(card, "mute")
  await ada.shortcut({ channel: DOCS, ts: card.ts }, "ask_docs_agent")
  await ada.submitModal({ prompt: "a form of Slack's" })
  await h.docsUntil(({ creations }) => creations.length === 3)
  await ada.globalShortcut("ask_docs_agent_global")
  const delivered = slack.deliveries.map(({ delivery }) => delivery)
  // Slack sends this kind only to apps that ask for it.
  const closed = delivered
    .filter(({ payload }) => payload.type === "view_submission")
    .map((one) => ({ ...one, payload: { ...one.payload, type: "view_closed" } }))
  return [...delivered, ...closed]
}

/** Encodes a body as Slack does for this kind of delivery. */
export function encode(kind: string, payload: unknown): { body: string; type: string } {
  if (kind === "events_api") return { body: JSON.stringify(payload), type: JSON_TYPE }
  const fields =
    kind === "interactive"
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload ?? {}).map(([k, v]) => [k, asField(v)]))
  return { body: new URLSearchParams(fields).toString(), type: FORM }
}

function asField(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

const junk = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1e308, "", [], {}, [[]], { __proto__: null }),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
)

/** Returns the payload as a different request, with its own text and delivery id. */
function anew(payload: JsonObject, n: number): JsonObject {
  const { event, text, trigger_id } = payload
  const ts = `${1_800_000_000 + n}.000100`
  return {
    ...payload,
    ...(trigger_id === undefined ? {} : { trigger_id: `${n}.1.a` }),
    ...(typeof text === "string" ? { text: `${text} ${n}` } : {}),
    ...(event ? { event: { ...(event as JsonObject), ts, text: `fix the guide, part ${n}` } } : {}),
  }
}

/** Generates bodies of these deliveries with parts removed or replaced. */
export const brokenBodies = (samples: () => readonly Delivery[]) =>
  fc
    .record({
      sample: fc.nat({ max: 1000 }),
      changes: fc.array(
        fc.record({ at: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }), junk }),
        { minLength: 1, maxLength: 4 },
      ),
      drop: fc.boolean(),
      n: fc.nat(),
    })
    .map(({ sample, changes, drop, n }) => {
      const all = samples()
      const { kind, payload } = all[sample % all.length] ?? { kind: "", payload: {} }
      const copy = anew(structuredClone(payload), n)
      for (const { at, junk } of changes) change(copy, at, drop ? undefined : structuredClone(junk))
      return encode(kind, copy)
    })

/** Follows a path of positions as far as it exists, and changes the value there. */
function change(node: JsonObject, [at = 0, ...rest]: number[], value: unknown): void {
  const names = Object.keys(node)
  const name = names[at % Math.max(1, names.length)]
  if (name === undefined) return
  const child = node[name]
  if (rest.length > 0 && typeof child === "object" && child !== null)
    change(child as JsonObject, rest, value)
  else if (value === undefined) delete node[name]
  else Object.assign(node, { [name]: value })
}

/** Generates bodies of any content, with their types. */
export const anyBody = fc.oneof(
  fc.record({ body: hostileText, type: fc.constantFrom(FORM, JSON_TYPE, "text/plain", "") }),
  fc.json().map((body) => ({ body, type: JSON_TYPE })),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("payload", "command", "text", "user_id", "team_id") as fc.Arbitrary<string>,
        hostileText,
      ),
    )
    .map((pairs) => ({ body: new URLSearchParams(pairs).toString(), type: FORM })),
)

/** Puts a text in each place of the payload that has text from a person. */
export function fillText(node: JsonObject, text: string): void {
  for (const [name, child] of Object.entries(node)) {
    if (typeof child === "object" && child !== null) fillText(child as JsonObject, text)
    else if (name === "text" || name === "value") Object.assign(node, { [name]: text })
  }
}
