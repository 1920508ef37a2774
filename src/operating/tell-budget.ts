import { tellOnce } from "../following/tell-admins-once.ts"
import type { Context } from "../jobs/context.ts"
import { UNTIL_WOKEN } from "../lib/loop.ts"
import { monthOf, reachedShare, readMonth } from "../limit/month-budget.ts"
import { budgetNotice, operatorLine } from "../messages/admin-notices.ts"
import { countWaiting } from "./tell-admins.ts"

/** Tells each admin once when a project's month reaches 75%, 95% and its end, extended or not. */
export async function budgetPass(context: Context): Promise<number> {
  const { limits, timing } = context.settings
  if (limits.jobsPerMonth === 0) return UNTIL_WOKEN
  for (const project of context.settings.projects.keys) {
    const month = await readMonth(context.store, project, limits.jobsPerMonth)
    const share = month && reachedShare(month)
    if (!month || share === undefined) continue
    const notice = `${monthOf(month.endsAt - 1)}.${month.most}.${share}`
    const waiting = share === 1 ? await countWaiting(context.store, project) : 0
    const label = context.settings.projects.labelOf(project)
    const message = budgetNotice({ project, label, ...month, share, waiting, notice })
    await tellOnce(context, `budget:${project}:${notice}`, {
      log: () => context.log.warn({ project: label }, operatorLine(message)),
      message: () => message,
    })
  }
  return timing.careMs
}
