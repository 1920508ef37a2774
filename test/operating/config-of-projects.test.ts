import { expect, test } from "vitest"
import { faultsOf, GOOD_SETTINGS } from "../helpers/good-settings.ts"

test.each([
  ["[oops]", /DOCS_PROJECTS must be a JSON list on one line.* \(not valid JSON\)/],
  ["/no/such/file.json", /path to a file that contains one \(ENOENT\)/],
  ["Procfile", /DOCS_PROJECTS must be a JSON list.* \(not valid JSON\)/],
  ["[]", /DOCS_PROJECTS must list at least one project/],
])("OPS-17: DOCS_PROJECTS=%s is one fault, which says what it should be", (value, says) => {
  const faults = faultsOf({ ...GOOD_SETTINGS, DOCS_PROJECTS: value })
  expect(faults).toEqual([expect.stringMatching(says)])
})

const faultsOfListed = (...more: object[]) => {
  const list = more.map((facts) => ({ name: "api", id: "p2", key: "svc_2", ...facts }))
  return faultsOf({ ...GOOD_SETTINGS, DOCS_PROJECTS: JSON.stringify(list) })
}
const [SAME, CHANNEL] = [{ name: "b" }, { name: "b", id: "p3", channels: ["C1"] }]

test.each<[listed: object[], says: RegExp]>([
  [[{ id: " p1" }], /: project 1: "id" can't be empty or contain spaces/],
  [[{ key: undefined }], /: project 1: "key" is missing or has the wrong type/],
  [[{ key: "svc_2\n" }], /: project 1: "key" can't contain spaces/],
  [[{ name: "the api" }], /: project 1: "name" must be 1 to 40 letters/],
  [
    [{ svc_secret: "key" }],
    /: project 1 has a field that isn't one of name, id, key and channels$/,
  ],
  [[{}, SAME], /: api and b are the same project/],
  [[{ id: "p1" }], /: DOCS_PROJECT_ID and api are the same project. Remove one/],
  [[{}, { name: "API", id: "p3" }], /: api and API have the same name/],
  [[{ name: "Docs" }], /: DOCS_PROJECT_ID and Docs have the same name. Rename one/],
  [[{ channels: ["C1"] }, CHANNEL], /: api and b both list C1/],
  [[{ channels: ["docs"] }], /: project 1: "channels" must list channel IDs/],
])("OPS-17: the list %j is one fault, which says what it should be", (listed, says) => {
  expect(faultsOfListed(...listed)).toEqual([expect.stringMatching(`^DOCS_PROJECTS${says.source}`)])
})

test("OPS-17: half of a project beside a list is one fault", () => {
  const env = {
    ...GOOD_SETTINGS,
    DOCS_API_KEY: "",
    DOCS_PROJECTS: '[{"name":"b","id":"2","key":"k"}]',
  }
  expect(faultsOf(env)).toEqual(["Set both DOCS_PROJECT_ID and DOCS_API_KEY, or neither"])
})

test("one channel listed twice under one project is no fault", () => {
  expect(faultsOfListed({ channels: ["C1", "C1"] })).toEqual([])
})
