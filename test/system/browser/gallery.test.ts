import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { SCENES } from "../../pictures/gallery/all.ts"
import { type Shots, TWO_LOOKS } from "../../pictures/gallery/studio.ts"

/** These reach most kinds of messages; `npm run pictures` plays every scene in every look. */
test.each([["follow-ups", 4]])(
  "the scene %s can be played, and neither axe nor Slack finds anything",
  async (name, count) => {
    const folder = await mkdtemp(join(tmpdir(), "gallery-"))
    try {
      const shots: Shots = { folder, looks: TWO_LOOKS, taken: [], findings: [] }
      await SCENES[name]?.(shots)
      expect(shots.findings).toEqual([])
      expect(shots.taken).toHaveLength(count)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
