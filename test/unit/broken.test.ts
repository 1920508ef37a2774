import { expect, test } from "vitest"
import { onceByKey } from "../../src/redis/broken.ts"

test("a broken record is told of once, however often it comes back", () => {
  const told: string[] = []
  const tell = onceByKey((key) => void told.push(key))
  for (const key of ["a", "b", "a", "a", "b"]) tell(key, new Error("cut short"))
  expect(told).toEqual(["a", "b"])
})

test("a store full of broken records does not fill the memory with their names", () => {
  let told = 0
  const tell = onceByKey(() => void told++)
  for (let n = 0; n < 5000; n++) tell(`key ${n}`, new Error("cut short"))
  expect(told).toBe(5000)
  tell("key 4999", new Error("cut short"))
  expect(told).toBe(5000)
})
