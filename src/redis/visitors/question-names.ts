import { called, type ProjectNames, stored } from "../projects/names.ts"

/** Whatever leads back to a question. It outlives a change of its project's name. */
interface Asked {
  question: { project: string }
}

export function calledIn<T extends Asked>(names: ProjectNames, asked: T): T {
  return { ...asked, question: called(names, asked.question) }
}

export function storedIn<T extends Asked>(names: ProjectNames, asked: T): T {
  return { ...asked, question: stored(names, asked.question) }
}
