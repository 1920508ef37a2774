/** One deliberate breakage, and the tests that have to notice it. */
export interface Mutant {
  name: string
  /** The promise that it breaks, as a person who relies on the bot would put it. */
  breaks: string
  /** Where, from the repository's root. */
  file: string
  /** Occurs exactly once in the file; may span lines. */
  search: string
  replace: string
  /** `system` where nothing less notices it: it needs a redis-server, and takes a minute. */
  project: "unit" | "integration" | "doubles" | "system"
  /** Test files below `test/<project>`, without `.test.ts`. */
  tests: readonly [string, ...string[]]
  /** Part of the names of the tests to run, as a regular expression; absent: all of the files. */
  only?: string
}

/** The file with the breakage in it. @throws Error when its place is gone or no longer the only one. */
export function broken({ name, file, search, replace }: Mutant, source: string): string {
  const places = source.split(search).length - 1
  if (places !== 1)
    throw new Error(
      `${name}: the text to replace occurs ${places} times in ${file}. Write its search anew in test/mutants/list, or drop the mutant if the guard is gone.`,
    )
  // A function, as a string would have `$&` and the like read out of it.
  return source.replace(search, () => replace)
}

/** Paths of its test files, from the repository's root. */
export function testFiles({ project, tests }: Pick<Mutant, "project" | "tests">): string[] {
  return tests.map((test) => `test/${project}/${test}.test.ts`)
}
