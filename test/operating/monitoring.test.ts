import { parser } from "@prometheus-io/lezer-promql"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { FAULTS, takeEffect } from "../../src/messages/fault-words.ts"
import { EXPECTED } from "../../src/operating/metrics/count-calls.ts"
import { createMetrics } from "../../src/operating/metrics/define-metrics.ts"
import { readDocument } from "../helpers/documents.ts"

const OPERATIONS = readDocument(".github/OPERATIONS.md")

const rules = z
  .object({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^DocsAgent[A-Z]\w+$/),
            expr: z.string(),
            for: z.string().regex(/^\d+m$/),
            labels: z.strictObject({ severity: z.enum(["warning", "critical"]) }),
            annotations: z.strictObject({ summary: z.string(), action: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readDocument(".github/monitoring/alerts.yml")))
  .groups.flatMap((group) => group.rules)

const panels = z
  .object({
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string().min(1),
        targets: z.array(z.object({ expr: z.string() })).min(1),
      }),
    ),
  })
  .parse(JSON.parse(readDocument(".github/monitoring/dashboard.json"))).panels

/** Returns every series that a scrape can contain: labels by name. */
function series(): Map<string, readonly string[]> {
  const metrics = createMetrics()
  return new Map(
    metrics.registry.getMetricsAsArray().flatMap((metric) => {
      const { name, labelNames = [] } = z
        .object({ name: z.string(), labelNames: z.array(z.string()).optional() })
        .parse(metric)
      const suffixes = metric.type.toString() === "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      return suffixes.map((suffix) => [`${name}${suffix}`, [...labelNames, "le"]] as const)
    }),
  )
}

const known = series()
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

test.each(expressions)(
  "%s can be read by Prometheus and asks for metrics and labels that exist",
  (_, expr) => {
    const named = [...expr.matchAll(/docs_agent_\w+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !known.has(name))).toEqual([])
    const labels = new Set(named.flatMap((name) => known.get(name) ?? []))
    const asked = [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
      ...[...expr.matchAll(/[{,]\s*(\w+)\s*[=!]/g)].map(([, label = ""]) => label),
    ]
    expect(asked.filter((label) => label !== "instance" && !labels.has(label))).toEqual([])
    expect(nonsenseIn(expr)).toEqual([])
    // Proves that the grammar detects errors.
    expect(nonsenseIn(`${expr} by`)).not.toEqual([])
  },
)

/** Returns what Prometheus's own grammar can't parse, as excerpts of the expression. */
function nonsenseIn(expr: string): string[] {
  const found: string[] = []
  parser.parse(expr).iterate({
    enter({ type, from }) {
      if (type.isError) found.push(expr.slice(Math.max(0, from - 20), from + 20))
    },
  })
  return found
}

test("the dashboard shows every metric", () => {
  const shown = new Set(
    panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/docs_agent_\w+/g)].map(([name]) => name)),
    ),
  )
  const metrics = [...known.keys()].filter((name) => !/_(sum|count)$/.test(name))
  expect(metrics.filter((name) => !shown.has(name))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

test.each(["QueueStuck", "PollsLate", "SlackRefuses", "Gone"])(
  "what must wake somebody has a rule: %s",
  (name) => expect(rules.map(({ alert }) => alert)).toContain(`DocsAgent${name}`),
)

test("a refusal that the bot expects of Slack wakes nobody", () => {
  const refuses = rules.find(({ alert }) => alert === "DocsAgentSlackRefuses")?.expr ?? ""
  const [codes = [], exempt = []] = [/outcome=~"([^"]+)"/, /method!~"([^"]+)"/].map((label) =>
    label.exec(refuses)?.[1]?.split("|"),
  )
  const wakes = Object.entries(EXPECTED).filter(([, expected]) =>
    codes.some((code) => expected.has(code)),
  )
  expect(wakes.length).toBeGreaterThan(0)
  expect(exempt).toEqual(expect.arrayContaining(wakes.map(([method]) => method)))
})

const SETUP = { setting: "DOCS_API_KEY", isInContainer: false }

test.each([
  ["DocsAgentKeyRefused", "key_refused"],
  ["DocsAgentKeyRefused", "forbidden"],
  ["DocsAgentRestored", "restored"],
  ["DocsAgentUnknownHour", "unknown_hour"],
  ["DocsAgentMonthFull", "month_full"],
  ["DocsAgentNoWorker", "no_worker"],
  ["DocsAgentRedisFull", "redis_full"],
  ["DocsAgentGitHubLimit", "github_limit"],
] as const)("%s advises the same against %s as the bot itself", (name, fault) => {
  const action = rules.find(({ alert }) => alert === name)?.annotations.action
  expect(action).toContain(FAULTS[fault].next(SETUP))
  const inContainer = takeEffect({ isInContainer: true })
  expect(inContainer).toMatch(/docker compose up -d.* a restart keeps the old settings/)
  if (fault === "key_refused") expect(action).toContain(inContainer)
})

test.each(Object.entries(FAULTS).flatMap(([fault, { pauses }]) => (pauses ? [fault] : [])))(
  "an operator can look up why a queue is paused: %s",
  (fault) => {
    // The metrics cover the projects of the settings only.
    if (fault === "removed") return
    const row = /^\| `queue_paused` .*$/m.exec(OPERATIONS)?.[0]
    expect(row).toContain(`\`${fault}\``)
  },
)
