import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { settings } from "../../../src/config/environment-variables.ts"
import { COMMANDS, readDocument, readProcfile } from "../../helpers/documents.ts"

const DOCKERFILE = readDocument("Dockerfile")
/** Returns what follows an instruction in the image's last stage. */
const says = (instruction: string) =>
  new RegExp(`^${instruction} (.*)$`, "m").exec(DOCKERFILE.split(/^FROM /m).at(-1) ?? "")?.[1]

const service = z.looseObject({ image: z.string(), command: z.string().optional() })
const compose = z
  .object({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
    configs: z.record(z.string(), z.object({ content: z.string() })),
  })
  .parse(parse(readDocument("compose.yaml"), { merge: true }))

test("both stages start from one Node, of the line that is developed with, pinned by its content", () => {
  const bases = [...DOCKERFILE.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, base]) => base)
  expect(new Set(bases).size).toBe(1)
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/)
  expect(bases[0]).toContain(`node:${readDocument(".nvmrc").trim()}.`)
  const name = `base.name="docker.io/library/${bases[0]?.split("@")[0]}"`
  expect(DOCKERFILE).toContain(name)
})

test("OPS-19: the image runs what the Procfile runs, without rights, and keeps its data in its one volume", () => {
  const entry: string[] = JSON.parse(says("ENTRYPOINT") ?? "")
  for (const [type, command] of readProcfile()) expect(`${entry.join(" ")} ${type}`).toBe(command)
  expect(JSON.parse(says("CMD") ?? "")).toEqual(["all"])
  expect(says("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  // That user can read what was cloned with any umask.
  expect(DOCKERFILE).toMatch(/^RUN npm pack && tar -xzf \S+ && chmod -R a\+rX package$/m)
  expect(says("ENV")?.split(" ")).toContain(`DATA_DIR=${says("VOLUME")}`)
  expect(says("EXPOSE")).toBe(String(settings.shape.PORT.parse(undefined)))
})

test("the image is built from what it needs, never from settings or packages of the machine", () => {
  const lines = readDocument(".dockerignore").split("\n")
  const [first, ...others] = lines.filter((line) => line && !line.startsWith("#"))
  expect(first).toBe("*")
  const missing = others.filter(
    (line) => !existsSync(new URL(`../../../${line.slice(1)}`, import.meta.url)),
  )
  expect(others.filter((line) => !line.startsWith("!"))).toEqual([])
  expect(missing).toEqual([])
  expect(others).not.toContain("!.env")
  expect(others).not.toContain("!test")
})

test("OPS-20: compose.yaml starts both process types, alike but for that, once Redis answers", () => {
  const { web, worker } = compose.services
  expect([web?.command, worker?.command]).toEqual([...readProcfile().keys()])
  expect({ ...worker, command: "web" }).toEqual(web)
  expect(web).toMatchObject({
    env_file: ".env",
    environment: {
      REDIS_URL: "redis://redis:6379",
      DATA_DIR: says("VOLUME"),
      PORT: says("EXPOSE"),
    },
    volumes: [`bot:${says("VOLUME")}`],
    depends_on: { redis: { condition: "service_healthy" } },
    // The audit log's file goes through the temporary folder.
    read_only: true,
    tmpfs: ["/tmp"],
    stop_grace_period: "15s",
  })
  // Every setting that it sets is one of the bot's.
  const names = Object.keys(z.looseObject({}).parse(web?.environment))
  expect(names.filter((name) => !(name in settings.shape))).toEqual([])
})

test("OPS-20: its Redis keeps everything, and only two paths are reachable, over TLS", () => {
  const { redis, tls, ...bot } = compose.services
  expect(redis?.command).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/)
  expect(redis?.healthcheck).toMatchObject({ test: ["CMD-SHELL", expect.stringContaining("PONG")] })
  for (const one of [redis, ...Object.values(bot)]) expect(one?.ports).toBeUndefined()
  expect(tls).toMatchObject({ profiles: ["tls"], ports: ["443:443", "80:80"] })
  // Caddy answers 200 to what it has no rule for, so an uptime check would take it for the bot.
  const lines = compose.configs.caddyfile?.content.split("\n").map((line) => line.trim())
  expect(lines?.slice(1, 6)).toEqual([
    "@outside path /slack/events /healthz",
    "handle @outside {",
    `reverse_proxy web:${says("EXPOSE")}`,
    "}",
    "respond 404",
  ])
  const mounted = Object.values(compose.services).flatMap(({ volumes }) =>
    z
      .array(z.string())
      .parse(volumes)
      .map((volume) => volume.split(":")[0] ?? ""),
  )
  expect(new Set(mounted)).toEqual(new Set(Object.keys(compose.volumes)))
})

test("a container that is run by hand has time to stop, and is started again when it ends", () => {
  const runs = COMMANDS.filter((command) => command.startsWith("docker run -d"))
  expect(runs.length).toBeGreaterThan(1)
  for (const run of runs) {
    expect(run).toMatch(/ --restart unless-stopped /)
    expect(run).toContain(`-v docs-agent:${says("VOLUME")}`)
    expect(run).not.toMatch(/ --rm /)
  }
  const [, run = ""] = runs
  expect(Number(/--stop-timeout (\d+)/.exec(run)?.[1])).toBeGreaterThan(10)
  expect(run).toMatch(/ --read-only --tmpfs \/tmp .* -p 127\.0\.0\.1:/)
})

interface Step {
  uses?: string
  with?: Record<string, unknown>
  run?: string
  if?: string
}
const stepsOf = (workflow: string, job: string): Step[] =>
  parse(readDocument(`.github/workflows/${workflow}.yml`)).jobs[job].steps
const builds = ({ uses }: Step) => uses?.startsWith("docker/build-push-action")

test("OPS-21: a pull request builds the same image for both machines, with no right to publish it", () => {
  const { on, permissions, jobs } = parse(readDocument(".github/workflows/ci.yml"))
  expect(on).toHaveProperty("pull_request")
  expect([permissions, jobs.image.permissions]).toEqual([{ contents: "read" }, undefined])
  const platforms = "linux/amd64,linux/arm64"
  expect(stepsOf("ci", "image").find(builds)?.with).toMatchObject({ platforms, push: false })
  const published = stepsOf("release", "release").find(builds)?.with
  expect(published).toMatchObject({ platforms, push: true, sbom: true, provenance: "mode=max" })
})

test("OPS-21: only a variable publishes the package, after all tests and with provenance", () => {
  const steps = stepsOf("release", "release")
  const publish = steps.findIndex(({ run }) => run?.includes("npm publish --provenance"))
  expect(steps[publish]?.if).toMatch(/^vars\./)
  const tested = steps.findIndex(({ run }) => run === ".ci/run")
  expect(tested).toBeGreaterThan(0)
  expect(steps.findIndex(({ uses }) => uses?.startsWith("docker/"))).toBeGreaterThan(tested)
})

test("the image's trial, which no compiler reads, imports what there is", async () => {
  const trial = readDocument(".ci/try-image.mjs")
  const imports = [...trial.matchAll(/^import \{ (.+) \} from "\.\.\/test\/(.+)"$/gm)]
  expect(imports.length).toBeGreaterThan(2)
  for (const [, names = "", file = ""] of imports) {
    const found: object = await import(new URL(`../../${file}`, import.meta.url).href)
    expect(Object.keys(found)).toEqual(expect.arrayContaining(names.split(", ")))
  }
})
