import { parentPort } from 'node:worker_threads';
import { CHECKER_READY, type CheckerAnswer, type CheckerRequest } from './checker-messages';
import { SchemaChecker } from './schema-checker';

/** Runs in a worker thread. Compiles schemas and checks replies, one request at a time. */
function main(): void {
  const checker = new SchemaChecker();
  parentPort?.on('message', (request: CheckerRequest) => parentPort?.postMessage(answer(checker, request)));
  parentPort?.postMessage(CHECKER_READY);
}

function answer(checker: SchemaChecker, request: CheckerRequest): CheckerAnswer {
  try {
    const fault =
      request.kind === 'schema'
        ? checker.schemaFault(request.key, request.schema)
        : checker.replyFault(request.key, request.schema, request.reply);
    return { kind: 'checked', fault };
  } catch (error) {
    return { kind: 'failed', message: String((error as Error).message) };
  }
}

main();
