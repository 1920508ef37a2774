import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { faultsOf, GOOD_SETTINGS } from "../helpers/good-settings.ts"

const project = (more: object) => ({ name: "api", id: "p2", key: "svc_2", ...more })
const projects = (...list: object[]) => ({ DOCS_PROJECTS: JSON.stringify(list) })
const FOLDER = mkdtempSync(join(tmpdir(), "docs-agent-settings-"))
writeFileSync(join(FOLDER, "projects"), "[{]")
afterAll(() => rmSync(FOLDER, { recursive: true }))

const REFUSED: readonly (readonly [Record<string, string>, RegExp])[] = [
  [projects(project({ id: " p1" })), /project 1: "id" can't be empty or contain spaces/],
  [
    { DOCS_PROJECTS: "[oops]" },
    /DOCS_PROJECTS must be a JSON list on one line.* \(not valid JSON\)/,
  ],
  [{ DOCS_PROJECTS: "/no/such/file.json" }, /path to a file that contains one \(ENOENT\)/],
  [{ DOCS_PROJECTS: join(FOLDER, "projects") }, /DOCS_PROJECTS must be a JSON list/],
  [projects(), /DOCS_PROJECTS must list at least one project/],
  [
    projects({ name: "api", id: "p2" }),
    /DOCS_PROJECTS: project 1: "key" is missing or has the wrong type/,
  ],
  [projects(project({ key: "svc_2\n" })), /DOCS_PROJECTS: project 1: "key" can't contain spaces/],
  [
    projects(project({ name: "the api" })),
    /DOCS_PROJECTS: project 1: "name" must be 1 to 40 letters/,
  ],
  [
    projects(project({ svc_secret: "key" })),
    /^DOCS_PROJECTS: project 1 has a field that isn't one of name, id, key and channels$/,
  ],
  [projects(project({}), project({ name: "b" })), /DOCS_PROJECTS: api and b are the same project/],
  [
    projects(project({ id: "p1" })),
    /DOCS_PROJECTS: DOCS_PROJECT_ID and api are the same project. Remove one/,
  ],
  [
    projects(project({}), project({ name: "API", id: "p3" })),
    /DOCS_PROJECTS: api and API have the same name/,
  ],
  [
    projects(project({ name: "Docs" })),
    /DOCS_PROJECTS: DOCS_PROJECT_ID and Docs have the same name. Rename one/,
  ],
  [
    projects(project({ channels: ["C1"] }), project({ name: "b", id: "p3", channels: ["C1"] })),
    /DOCS_PROJECTS: api and b both list C1/,
  ],
  [
    projects(project({ channels: ["docs"] })),
    /DOCS_PROJECTS: project 1: "channels" must list channel IDs/,
  ],
]

test.each(REFUSED)("OPS-17: %j is one fault, which says what it should be", (env, says) => {
  expect(faultsOf({ ...GOOD_SETTINGS, ...env })).toEqual([expect.stringMatching(says)])
})

test("one channel listed twice under one project is no fault", () => {
  expect(faultsOf({ ...GOOD_SETTINGS, ...projects(project({ channels: ["C1", "C1"] })) })).toEqual(
    [],
  )
})
