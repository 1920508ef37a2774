import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { z } from "zod"

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

const findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
)

/** Returns axe's findings. Evaluates axe because the page's policy forbids adding scripts. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, "utf8"))
  const result = await page.evaluate("axe.run().then(({ violations }) => violations)")
  return findings
    .parse(result)
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${help}\n${node.html}\n${node.failureSummary}`),
    )
}
