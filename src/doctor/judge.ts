import type { Facts } from "./facts.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"
import { judgeService } from "./judge-service.ts"
import { judgeSlack } from "./judge-slack.ts"
import { judgeStore } from "./judge-store.ts"

/** Facts → lines, in the order in which one would mend things. Pure. */
export function judge(facts: Facts): Finding[] {
  return [
    judgeNode(facts.node),
    ...judgeEnvironment(facts.environment),
    ...(facts.store ? judgeStore(facts.store) : []),
    ...(facts.slack ? judgeSlack(facts.slack) : []),
    ...(facts.service ? judgeService(facts.service) : []),
  ]
}

/** The floor is that of the HTTP client and the compiler's target; see `engines`. */
const OLDEST_NODE = [20, 19] as const
/** Older lines get no security fixes any more. */
const SUPPORTED_NODE = 22

function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const says = `Node ${version}`
  const tooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  if (tooOld)
    return fault(
      "node",
      `${says} is too old`,
      `Install Node ${OLDEST_NODE.join(".")} or newer; 24 is recommended.`,
    )
  if (major < SUPPORTED_NODE)
    return warning("node", `${says} gets no security fixes any more`, "Move to Node 24.")
  return ok("node", says)
}

function judgeEnvironment(faults: readonly string[]): Finding[] {
  if (faults.length === 0) return [ok("environment", "Every setting is readable")]
  return faults.map((says) =>
    fault(
      "environment",
      says,
      "Set it in the environment; .env.example explains each. The rest is looked at after that.",
    ),
  )
}
