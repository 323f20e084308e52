import { noArguments, readOptions } from '@/lib/command-line/options';
import { exitCodeOf } from '@/lib/command-line/program';
import { UsageError } from '@/lib/command-line/usage-error';
import { recordOf } from '@/lib/protocol/json-record';
import { exercise, type Outcome } from './exercise';
import { FIXTURES, writeFixture } from './fixture';
import { install } from './install';
import { MODEL } from './model-server';
import type { Program } from './program';
import { claudeCode } from './programs/claude-code';
import { codex } from './programs/codex';
import { opencode } from './programs/opencode';
import { qwenCode } from './programs/qwen-code';
import { sdks } from './programs/sdks';
import { openStage, type Route, ROUTES } from './stage';
import { DOCUMENT, type Exercised, tableOf, writeTable } from './table';
import { type TaskName, TASKS } from './tasks';

const PROGRAMS: readonly Program[] = [claudeCode, codex, opencode, qwenCode, ...sdks];

const HELP = `
npm run agents -- [options]

Installs coding agents and SDKs from npm into its own cache. Runs each program unmodified against a
gateway with a scripted model, directly and through the client's proxy, all on loopback. A run of
all tasks writes its rows into ${DOCUMENT}; any other run prints them. The exit code is 1 if a
program failed a task.

  --only NAME     only this program; may be given several times
  --route NAME    only ${ROUTES.join(' or ')}
  --task NAME     only this task: ${TASKS.join(', ')}; may be given several times
  --record        write the programs' requests to ${FIXTURES}, for tests
  --verbose       also print the programs' output
  --list          list the programs with their versions
  -h, --help      this text
`;

const OPTIONS = {
  only: { type: 'string', multiple: true },
  route: { type: 'string' },
  task: { type: 'string', multiple: true },
  record: { type: 'boolean' },
  verbose: { type: 'boolean' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS);
  noArguments(positionals);
  if (values.help) return say(HELP);
  if (values.list)
    return say(
      PROGRAMS.map(
        ({ name, packages }) =>
          `${name.padEnd(20)}${Object.entries(packages)
            .map((each) => each.join(' '))
            .join(', ')}\n`,
      ).join(''),
    );
  const unknown = [
    ...(values.only ?? []).filter((name) => !PROGRAMS.some((program) => program.name === name)),
    ...(values.task ?? []).filter((name) => !TASKS.some((task) => task === name)),
    ...[values.route].filter((name) => name !== undefined && !ROUTES.some((route) => route === name)),
  ];
  if (unknown.length > 0) throw new UsageError(`Unknown: ${unknown.join(', ')}. See --help and --list.`);
  const programs = PROGRAMS.filter(({ name }) => values.only?.includes(name) ?? true);
  const routes: readonly Route[] = ROUTES.filter((route) => values.route === undefined || values.route === route);
  const tasks: readonly TaskName[] = TASKS.filter((task) => values.task?.includes(task) ?? true);
  const exercised = await exerciseAll(programs, routes, tasks, {
    isRecorded: values.record === true,
    isVerbose: values.verbose === true,
  });
  if (tasks.length === TASKS.length) writeTable(exercised);
  else say(tableOf(exercised));
  return exercised.every(({ outcomes }) => outcomes.every(({ isGood }) => isGood)) ? 0 : 1;
}

async function exerciseAll(
  programs: readonly Program[],
  routes: readonly Route[],
  tasks: readonly TaskName[],
  { isRecorded, isVerbose }: { isRecorded: boolean; isVerbose: boolean },
): Promise<Exercised[]> {
  const modules = await install(programs);
  const stage = await openStage();
  const exercised: Exercised[] = [];
  try {
    for (const program of programs) {
      for (const route of routes) {
        const outcomes = await exercise(program, route, tasks, stage, modules);
        for (const outcome of outcomes)
          process.stderr.write(`${program.name.padEnd(20)}${route.padEnd(9)}${told(outcome, isVerbose)}`);
        exercised.push({ program, route, outcomes });
        // Records requests that came through the proxy only if the program names its own model. All other requests
        // equal those to the gateway.
        const isNew =
          route === 'gateway' ||
          outcomes.some(({ requests }) =>
            requests.some(({ body }) => body !== '' && recordOf(JSON.parse(body))['model'] !== MODEL),
          );
        if (isRecorded && isNew)
          writeFixture(
            program,
            route,
            outcomes
              .filter(({ task }) => task !== 'failure')
              .flatMap(({ task, requests }) => requests.map((request) => ({ ...request, task }))),
            stage.folder,
          );
      }
    }
    if (stage.outside.hosts.size > 0)
      process.stderr.write(`Refused connections to hosts outside loopback: ${[...stage.outside.hosts].join(', ')}\n`);
    return exercised;
  } finally {
    await stage.stop();
  }
}

function told({ task, isGood, note, out, requests }: Outcome, isVerbose: boolean): string {
  const line = `${task.padEnd(14)}${isGood ? 'good' : 'NOT GOOD'}  ${note}\n`;
  return isVerbose
    ? `${line}${out}\n${requests.map(({ method, path, status }) => `  ${method} ${path} ${status}\n`).join('')}`
    : line;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

process.exitCode = await exitCodeOf(main);
