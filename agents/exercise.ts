import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@/lib/protocol/errors';
import type { Program } from './program';
import type { RecordedRequest } from './recorder';
import { runProgram } from './run-program';
import type { Route, Stage } from './stage';
import { EDITED_NOTES, NOTES, NOTES_FILE, PICTURE_FILE, picture, PROMPTS, type TaskName, WORDS } from './tasks';

export interface Outcome {
  task: TaskName;
  isGood: boolean;
  /** Why the task failed. For the task `failure`, how often the program asked the model. */
  note: string;
  out: string;
  requests: readonly RecordedRequest[];
}

const TURN_TIMEOUT_MS = 120_000;
/**
 * Matches the first sentence of the gateway's error for a model whose answer breaks off. A terminal may wrap the
 * sentence.
 */
const REASON = new RegExp(/^[^.]+/.exec(ERRORS.ANSWER_BROKEN.error)?.[0].replaceAll(' ', String.raw`\s+`) ?? '', 'i');
const NOTE_CHARACTERS_MAX = 300;

/**
 * Runs a program through tasks, each in an empty home directory. The task `conversation` begins with the prompt of the
 * task `prompt`.
 */
export async function exercise(
  program: Program,
  route: Route,
  tasks: readonly TaskName[],
  stage: Stage,
  modules: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const task of tasks) {
    const folder = mkdtempSync(join(stage.folder, `${program.name}-`));
    try {
      outcomes.push(await runTask(program, route, task, stage, { modules, folder }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return outcomes;
}

async function runTask(
  program: Program,
  route: Route,
  task: TaskName,
  stage: Stage,
  { modules, folder }: { modules: string; folder: string },
): Promise<Outcome> {
  const [workspace, home] = [join(folder, 'project'), join(folder, 'home')];
  for (const each of [workspace, home]) mkdirSync(each);
  writeFileSync(join(workspace, NOTES_FILE), NOTES);
  writeFileSync(join(workspace, PICTURE_FILE), picture());
  stage.model.folder = workspace;
  stage.model.asked = [];
  const before = stage.recorder.requests.length;
  let out = '';
  const turns: TaskName[] = task === 'conversation' ? ['prompt', 'conversation'] : [task];
  for (const [index, turn] of turns.entries()) {
    const { command, env } = program.invoke({
      task: turn,
      prompt: PROMPTS[turn],
      continues: index > 0,
      workspace,
      home,
      modules,
      ...stage.endpoint(route),
    });
    const ended = await runProgram(command, {
      cwd: workspace,
      env: {
        HOME: home,
        TMPDIR: folder,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local'),
        XDG_CACHE_HOME: join(home, '.cache'),
        NO_COLOR: '1',
        CI: '1',
        ...stage.outside.env,
        ...env,
      },
      timeoutMs: TURN_TIMEOUT_MS,
    });
    out = ended.code === null ? `${ended.out}\n(its time was up)` : ended.out;
  }
  const requests = stage.recorder.requests.slice(before);
  return { task, out, requests, ...judged(task, out, readFileSync(join(workspace, NOTES_FILE), 'utf8'), stage) };
}

function judged(task: TaskName, out: string, notes: string, { model }: Stage): Pick<Outcome, 'isGood' | 'note'> {
  const shown = (/^\S*Error\b[^:\n]*: (.{20,})$/m.exec(out)?.[1] ?? out)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(-NOTE_CHARACTERS_MAX);
  if (task === 'failure') {
    // A program with tools also sends requests without tools, for example to get a title. If any request has tools,
    // only those count.
    const main = model.asked.filter(({ task: asked }) => asked === 'failure');
    const withTools = main.filter(({ tools }) => tools.length > 0);
    const calls = withTools.length > 0 ? withTools.length : main.length;
    const isShown = REASON.test(out);
    return {
      isGood: isShown && calls === 1,
      note: `${isShown ? 'reason shown' : `no reason: ${shown}`}, asked ${calls === 1 ? 'once' : `${calls} times`}`,
    };
  }
  if (task === 'tools' && notes !== EDITED_NOTES) return { isGood: false, note: `the file was not edited: ${shown}` };
  return out.includes(WORDS[task]) ? { isGood: true, note: '' } : { isGood: false, note: shown };
}
