import type { Message } from "../slack/message.ts"
import { button, line } from "./blocks.ts"
import { counted, date, ofProject } from "./mrkdwn.ts"

/** Facts of a project's month for the admins. */
export interface BudgetFacts {
  project: string
  /** Name of the project; undefined if the bot serves only one. */
  label: string | undefined
  used: number
  most: number
  /** Share of the month's requests that is reached: 1 once they are used up. */
  share: number
  waiting: number
  endsAt: number
  /** Name of this notice, so that its button counts once. */
  notice: string
}

/** Tells admins how much of a month's requests is used, and lets them allow more at its end. */
export function budgetNotice(facts: BudgetFacts): Message {
  const { label, used, most, share, waiting, endsAt, project, notice } = facts
  const sent = `${used} of ${most} requests${ofProject(label)} were sent this month (\`JOBS_PER_MONTH\`).`
  if (share < 1)
    return line(`*${Math.round(share * 100)}% of this month's requests are used.* ${sent}`)
  const wait =
    waiting > 0
      ? `${counted(waiting, "request")} ${waiting === 1 ? "waits" : "wait"}`
      : "New requests wait"
  const text = `:warning: *This month's requests are used up.* ${sent} ${wait} until ${date(endsAt, "{date_short_pretty}")}, or until you allow more.`
  const allow = button({
    action: "allow_ten_more",
    label: "Allow 10 more",
    value: `${project} ${notice}`,
  })
  return line(text, [allow])
}
