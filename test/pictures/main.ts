import { fileURLToPath } from "node:url"
import { SCENES } from "./gallery/all.ts"
import { EVERY_LOOK, type Shots } from "./gallery/studio.ts"
import { takePictures } from "./take.ts"

/** What people look at after a change; not kept in the repository. */
const GALLERY = "coverage/gallery"

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in SCENES))
if (unknown.length > 0)
  throw new Error(
    `No such scene: ${unknown.join(", ")}. There are ${Object.keys(SCENES).join(", ")}`,
  )

if (names.length === 0)
  await takePictures(fileURLToPath(new URL("../../.github/pictures", import.meta.url)))

const shots: Shots = { folder: GALLERY, looks: EVERY_LOOK, taken: [], findings: [] }
for (const [name, play] of Object.entries(SCENES)) {
  if (names.length > 0 && !names.includes(name)) continue
  const before = shots.taken.length
  await play(shots)
  console.log(`${name}: ${shots.taken.length - before} pictures`)
}
for (const finding of shots.findings) console.error(finding)
console.log(`${shots.taken.length} pictures in ${GALLERY}, ${shots.findings.length} findings`)
process.exitCode = shots.findings.length > 0 ? 1 : 0
