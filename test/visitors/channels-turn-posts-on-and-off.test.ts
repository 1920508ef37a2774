import { describe, expect } from "vitest"
import { listedProjects, withProjects } from "../helpers/listed-projects.ts"
import { restarted } from "../helpers/restarted.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import type { Options } from "../helpers/test-bed.ts"
import { PROJECT, useVisitors, type VisitorsBed } from "../helpers/visitors.ts"
import { ADA, BEN, CLEO, RANDOM } from "../sandbox/slack/index.ts"

const { test, bed } = useVisitors({ env: { ADMIN_USERS: `${ADA},${BEN}` } })

/** Starts a bot of the project `docs`, which has an unusual day, and of another. */
function ofTwo(other: string, more: Options = {}) {
  const docs = { visitors: { plants: [{ day: "2026-11-24", factor: 0 }] } }
  return bed({ ...withProjects({ docs: PROJECT, [other]: `docs-${other}` }, { docs }), ...more })
}

const lastSaid = (h: VisitorsBed) => h.said().at(-1)?.text

/** Commands about each kind, and what the bot says at them, in a list, and when one is due. */
const KINDS = [
  {
    on: "subscribe daily at 14:30",
    again: "subscribe daily at 2:30 pm",
    off: "unsubscribe",
    list: "subscriptions",
    says: /turned on the daily docs traffic digest for docs in .* at 2:30 PM \(\w+ time\)/,
    ofApi: "the daily docs traffic digest for api",
    row: "Daily at 2:30 PM (Paris time)",
    posts: /^Docs traffic on Nov 23/,
  },
  {
    on: "alert on people",
    again: "alert on people",
    off: "alert off",
    list: "alert list",
    says: /turned on docs traffic alerts for people in/,
    ofApi: "docs traffic alerts for people",
    row: "People on the whole site",
    posts: /^Docs traffic dropped on Tue, Nov 24: 0 people/,
  },
  {
    on: "feedback on",
    again: "feedback on",
    off: "feedback off",
    list: "feedback",
    says: /turned on reader feedback for docs in/,
    ofApi: "reader feedback for api",
    row: "Reader feedback",
    posts: /^New on the docs/,
  },
]

describe("what a channel gets", () => {
  test.each(KINDS)(
    "is turned on once, which everybody hears and may list, and ended, for one project apart from another: $on",
    async ({ on, again, off, list, says, row, ofApi }) => {
      const h = await ofTwo("api")
      await h.type(on)
      expect(lastSaid(h)).toMatch(says)
      expect(lastSaid(h)).toContain(`<@${ADA}> turned on`)
      const listed = (await h.ask(CLEO, list)).text
      expect(listed).toContain(`• ${row} · docs · turned on by <@${ADA}> · next `)
      expect((await h.ask(ADA, again)).text).toMatch(/^Already on in this channel\. /)
      expect(h.said()).toHaveLength(1)
      await h.type(`project=api ${on}`)
      expect(lastSaid(h)).toContain(`turned on ${ofApi} in this channel`)
      await h.type(`project=api ${off}`)
      expect(lastSaid(h)).toContain(`turned off ${ofApi} in this channel`)
      expect((await h.ask(ADA, list)).text).toMatch(/^[^•]*• [^•]* · docs · [^•]*$/)
      await h.type(off, { user: BEN })
      expect(lastSaid(h)).toContain(`<@${BEN}> turned off`)
      expect((await h.ask(ADA, off)).text).toContain("Nothing to turn off")
      expect((await h.ask(CLEO, list)).text).toMatch(/^This channel has no /)
      await h.at("2026-11-30T20:00Z")
      expect(h.said()).toHaveLength(4)
    },
  )

  test.each(KINDS)(
    "of one project goes on after another was removed, which is listed as paused and can be ended: $on",
    async ({ on, off, list, row, posts }) => {
      const dataDir = await temporaryFolder()
      const h = await ofTwo("gone", { dataDir })
      for (const words of [`project=gone ${on}`, on]) await h.type(words)
      const env = listedProjects({ docs: PROJECT }, { ADMIN_USERS: ADA })
      await using again = await restarted(h, { clock: h.clock, dataDir, env })
      h.clock.moveOn(Date.parse("2026-11-25T12:01Z") - h.clock.now())
      for (let n = 0; n < 3; n++) await again.posts()
      const posted = () => h.said().filter(({ text }) => posts.test(text))
      await h.slack.until(() => posted().length === 1)
      const { text } = await h.ask(CLEO, list)
      expect(text.split("\n").filter((line) => line.startsWith(`• ${row} · `))).toEqual([
        expect.stringMatching(/ · docs · turned on by .* · next /),
        expect.stringMatching(/ · paused until its project is back$/),
      ])
      await h.type(off)
      expect((await h.ask(CLEO, list)).text).toMatch(/^This channel has no /)
    },
  )

  test("where the bot may not post is refused at once, and nothing is stored", async (h) => {
    const refused = await h.ask(ADA, "subscribe daily", RANDOM)
    expect(refused.text).toContain("Invite me with `/invite` <@")
    const listed = await h.ask(ADA, "subscriptions", RANDOM)
    expect(listed.text).toContain("has no docs traffic digests")
  })
})

test("a digest at another time replaces it, other rhythms stand beside it, and each ends by its name", async (h) => {
  for (const words of ["weekly 08:00", "weekly 10:00", "daily"]) await h.type(`subscribe ${words}`)
  const list = async () => (await h.ask(ADA, "subscriptions")).text
  expect(await list()).toMatch(/• Daily at 9:00 AM[^•]*• Weekly on Mondays at 10:00 AM/)
  await h.type("unsubscribe weekly")
  expect(await list()).toMatch(/^[^•]*• Daily at 9:00 AM[^•]*$/)
})

test("a slip is asked about with the project that was named", async () => {
  const h = await ofTwo("api")
  const { text } = await h.ask(ADA, "unsubscrbe project=api")
  expect(text).toBe("Did you mean `/docs-visitors project=api unsubscribe`?")
})

test("alerts are listed, turned off by what is named, and at most ten in a channel", async (h) => {
  await h.type("alert on")
  expect(lastSaid(h)).toContain("alerts for people and AI visitors in this channel")
  await h.type("alert on ai /guides", { user: BEN })
  const list = async () => (await h.ask(BEN, "alert list")).text
  expect(await list()).toMatch(
    /People on the whole site.*\n.*AI visitors on the whole site.*\n.*under \/guides/,
  )
  await h.type("alert off ai", { user: BEN })
  expect(await list()).toMatch(/^[^•]*• People on the whole site[^•]*$/)
  for (let n = 1; n <= 4; n++) await h.type(`alert on /part-${n}`)
  await h.type("alert on ai")
  expect((await h.ask(ADA, "alert on ai /part-5")).text).toContain("at most 10 alerts")
})

test("VIS-18: only admins turn feedback on and off, where the service has comments", async (h) => {
  for (const words of ["feedback on", "feedback off"])
    expect((await h.ask(CLEO, words)).text).toMatch(/^Only an admin can .* Ask <@/)
  h.docs.configure({ absent: { feedback: 404 } })
  expect((await h.ask(ADA, "feedback on")).text).toMatch(/^Not turned on: your documentation/)
  expect((await h.ask(ADA, "feedback list")).text).toMatch(/^This channel has no reader feedback/)
})
