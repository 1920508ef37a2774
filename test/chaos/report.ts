import { quantile } from "../helpers/quantile.ts"
import type { Outcome } from "./campaign.ts"
import { LEASE_MS } from "./timing.ts"

/** What was promised and not kept, in words; empty after a good run. */
export function broken({ options, verdict, violations, digests }: Outcome): string[] {
  const { lost, createdTwice, sentTwice, toldTwice, cardedTwice, toldWrong, accepted } = verdict
  const { after } = verdict
  const twice = options.history
    ? [
        ...named("two endings told", toldTwice),
        ...named("two cards", cardedTwice),
        ...named("reminded twice of the pull request of", after.remindedTwice),
      ]
    : []
  return [
    ...named("lost", lost),
    ...named("created twice", createdTwice),
    ...named("sent twice", sentTwice),
    ...named("told what is not so", toldWrong),
    ...named("preview built twice", after.builtTwice),
    ...named("preview lost", after.previewLost),
    ...named("told of a preview what is not so", after.previewWrong),
    ...named("not told what became of the pull request of", after.lifeLost),
    ...named("nobody reminded of the pull request of", after.reminderLost),
    ...named("reminded at night of the pull request of", after.remindedWrongly),
    ...named("posted without being announced", after.unannounced),
    ...named("still shown as working", verdict.sessions.notActive),
    ...twice,
    ...named("Slack saw what it should not", violations),
    ...named("a digest twice in", channelsOf(digests, 2)),
    ...(accepted < options.requests / 2 ? [`only ${accepted} requests were accepted`] : []),
  ]
}

function channelsOf(digests: Outcome["digests"], atLeast: number): string[] {
  return digests.flatMap(({ channel, came }) => (came >= atLeast ? [channel] : []))
}

function named(what: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : [`${what}: ${list.slice(0, 20).join("; ")}`]
}

/** The outcome as lines to print. */
export function report(outcome: Outcome): string[] {
  const { options, verdict, kills, struck } = outcome
  const { after } = verdict
  const total = Object.values(kills).reduce((sum, n) => sum + n, 0)
  const each = Object.entries(kills).map(([part, n]) => `${part} ${n}`)
  const rows: [string, string | number][] = [
    ["history scopes", options.history ? "granted" : "missing: an unsure post is repeated"],
    ["requests accepted", `${verdict.accepted} of ${options.requests}`],
    ["kills", `${total} (${each.join(", ")})`],
    ["ends of its own", outcome.crashes],
    ["subscriptions cut", `${outcome.deafened} times`],
    ["faults struck", `Slack ${struck.slack}, service ${struck.service}, GitHub ${struck.github}`],
    ["told once", verdict.toldOnce],
    ["told twice", verdict.toldTwice.length],
    ["lost", verdict.lost.length],
    ["created twice", verdict.createdTwice.length],
    ["cards posted twice", verdict.cardedTwice.length],
    ["told what is not so", verdict.toldWrong.length],
    ["unknown told", verdict.unknownTold],
    ["cancelled", verdict.cancelled],
    ["cannot post, privately", verdict.cannotPost],
    ["follow-ups accepted", `${verdict.followUps}, ${verdict.sent} of them by message`],
    ["follow-ups sent twice", verdict.sentTwice.length],
    [
      "previews asked for",
      `${after.previews}, ${after.previewUnknown} told as unknown, ${after.previewOver} after the end`,
    ],
    ["previews built twice", after.builtTwice.length],
    ["previews lost", after.previewLost.length],
    ["pull requests followed", after.pulls],
    ["their life not told", after.lifeLost.length],
    ["reminders", after.reminders],
    ["reminded twice", after.remindedTwice.length],
    ["reminders lost", after.reminderLost.length],
    ["posts not announced", after.unannounced.length],
    ["agent sessions", `${verdict.sessions.sessions}, told again ${verdict.sessions.repeated}`],
    ["still shown as working", verdict.sessions.notActive.length],
    ["digests that came", `in ${channelsOf(outcome.digests, 1).length} channels`],
    ["told after a restart", recovery(outcome)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(24)}${value}`)
}

/** How long those waited who had been accepted right before a kill, in leases. */
export function recovery({ recoveriesMs }: Pick<Outcome, "recoveriesMs">): string {
  if (recoveriesMs.length === 0) return "nobody waited"
  const leases = (share: number) => (quantile(recoveriesMs, share) / LEASE_MS).toFixed(1)
  return `median ${leases(0.5)}, longest ${leases(1)} leases of ${LEASE_MS} ms, of ${recoveriesMs.length} asked right before`
}

/** How to live through the same again. */
export function replay({ options, dir }: Outcome): string {
  const { requests, kills, seed, gapMs, history } = options
  const args = `--requests ${requests} --kills ${kills} --seed ${seed} --gap ${gapMs}`
  return `replay: npm run test:chaos -- ${args}${history ? "" : " --no-history"}; what the processes printed: ${dir}`
}
