import { tellOnce } from "../following/tell-admins-once.ts"
import type { Context } from "../jobs/context.ts"
import type { Log } from "../lib/log.ts"
import { monthOf, reachedShare, readMonth } from "../limit/month-budget.ts"
import { budgetNotice, operatorLine } from "../messages/admin-notices.ts"
import { countUnsent } from "./tell-admins.ts"

type BudgetDeps = Pick<Context, "store" | "limits" | "projectKeys" | "labelOf" | "rules"> & {
  outbound: Pick<Context["outbound"], "direct">
}

/** Tells each admin once when a project's month reaches 75%, 95% and its end, extended or not. */
export async function tellBudgets(deps: BudgetDeps, log: Pick<Log, "warn">): Promise<void> {
  for (const project of deps.projectKeys) {
    const month = await readMonth(deps.store, project, deps.limits.jobsPerMonth)
    const share = month && reachedShare(month)
    if (!month || share === undefined) continue
    const notice = `${monthOf(month.endsAt - 1)}.${month.most}.${share}`
    const waiting = share === 1 ? await countUnsent(deps.store, project) : 0
    const label = deps.labelOf(project)
    const message = budgetNotice({ project, label, ...month, share, waiting, notice })
    await tellOnce(deps, `budget:${project}:${notice}`, {
      log: () => log.warn({ project: label }, operatorLine(message)),
      message: () => message,
    })
  }
}
