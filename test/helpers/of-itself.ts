import { examine } from "../../src/operating/doctor/run-doctor.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Web server of a bot, by its port. */
type Server = { readonly port: number | undefined }

/** Reads what a bot says at `/readyz`. */
export async function readyz({ port }: Server) {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  const text = (await answer.text()).trim()
  const { notices = [] }: { notices?: string[] } = JSON.parse(text)
  return { status: answer.status, text, notices }
}

/** Reads what a bot has counted. */
export async function metricsOf({ port }: Server): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

/** Lists what the doctor of a bot finds. */
export function findingsOf({ services }: Pick<TestBed, "services">) {
  return examine(services.config, services.requestRedis, services.log)
}
