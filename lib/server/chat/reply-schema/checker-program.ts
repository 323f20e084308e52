import { parentPort } from 'node:worker_threads';
import { CHECKER_READY, type CheckerAnswer, type CheckerQuestion } from './checker-messages';
import { SchemaChecker } from './schema-checker';

/** The thread in which schemas are compiled and replies checked: questions come one at a time. */
function main(): void {
  const checker = new SchemaChecker();
  parentPort?.on('message', (question: CheckerQuestion) => parentPort?.postMessage(answer(checker, question)));
  parentPort?.postMessage(CHECKER_READY);
}

function answer(checker: SchemaChecker, question: CheckerQuestion): CheckerAnswer {
  try {
    const fault =
      question.kind === 'schema'
        ? checker.schemaFault(question.key, question.schema)
        : checker.replyFault(question.key, question.schema, question.reply);
    return { kind: 'checked', fault };
  } catch (error) {
    return { kind: 'failed', message: String((error as Error).message) };
  }
}

main();
