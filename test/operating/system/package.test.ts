import { execFileSync, spawnSync } from "node:child_process"
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cleanCopy } from "../../helpers/clean-copy.ts"
import { RUN_BY, readDocument } from "../../helpers/documents.ts"
import { toSocketMode } from "../../helpers/manifest.ts"
import { runCommand, startInTerminal } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { readManifest } from "../../sandbox/manifest.ts"

test("the package runs alone, from an empty folder with a .env, by the README's commands", async () => {
  await using copy = await cleanCopy()
  const before = await readFile(join(copy.folder, "package.json"), "utf8")
  expect((await runCommand("npm pack", { cwd: copy.folder, env: {} })).code).toBe(0)
  expect(await readFile(join(copy.folder, "package.json"), "utf8")).toBe(before)
  const { version } = JSON.parse(before)
  const tarball = join(copy.folder, `docs-agent-for-slack-${version}.tgz`)
  expect((await stat(tarball)).size).toBeLessThan(5_000_000)
  const files = String(execFileSync("tar", ["-tzf", tarball]))
  expect(files).toMatch(/^package\/dist\/main\.js$/m)
  expect(files).not.toMatch(/test|\.map$|\.env$|node_modules|\/src\//m)

  const empty = await temporaryFolder()
  await using bed = await startProcessBed({ mode: "socket", env: { PORT: "0" } })
  const lines = Object.entries(bed.env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(empty, ".env"), lines.join(""))
  const place = { cwd: empty, env: {} }
  const [install, doctor, all, npx] = RUN_BY["test/operating/system/package.test.ts"]
  // No cache: what is not in the file would have to be downloaded.
  const offline = install.replace(/\.\/\S+$/, `--offline --cache ${empty}/cache ${tarball}`)
  expect(await runCommand(offline, place)).toMatchObject({ code: 0 })
  expect((await runCommand(doctor, place)).output).toMatch(/No problems found|0 problems/)
  const manifest = await runCommand(`${npx} manifest`, place)
  expect(JSON.parse(manifest.output)).toEqual(toSocketMode(readManifest()))
  const unread = await runCommand(`${npx} web`, place)
  expect(unread.output).toMatch(/Run: npx docs-agent-for-slack --env-file=.env all\n$/)
  const absent = await runCommand(`${npx} --env-file=.envv web`, place)
  // Some versions of Node read the option even after the script's name.
  expect(absent).toEqual({ code: expect.any(Number), output: expect.stringContaining(".envv") })
  expect(absent.code).toBeGreaterThan(0)
  // A group of processes, since npx runs the bot as a child of its own.
  await using _ = await startInTerminal(all, place, /"msg":"started"/)
})

test("the bundle names the license of every package in it", async () => {
  const licenses = await readFile("dist/licenses.txt", "utf8")
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"))
  for (const name of Object.keys(dependencies)) expect(licenses).toContain(`\n--- ${name} `)
  expect(licenses).toMatch(/\n--- express \S+: MIT\n/)
})

test("OPS-21: a release's text is its section of the changelog, and a version without one is refused", () => {
  const notes = (version: string) =>
    spawnSync("bash", [".ci/release-notes.sh", version], { encoding: "utf8" })
  const { status, stdout } = notes("0.1.0")
  expect(status).toBe(0)
  expect(readDocument("CHANGELOG.md")).toContain(stdout.trimEnd())
  expect(stdout).not.toMatch(/^## /m)
  expect(notes("9.9.9").status).toBe(1)
})
