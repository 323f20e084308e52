import { recordOf } from '@/lib/protocol/json-record';
import { NOTES_FILE, PICTURE_FILE, PROMPTS, type TaskName, TASKS, WORDS } from './tasks';

/** Fields of a chat message that the script reads. */
interface AskedMessage {
  role: string;
  text: string;
  hasImage: boolean;
}

/** Chat request that the model received. */
export interface AskedChat {
  messages: readonly AskedMessage[];
  /** Names of the functions that the model may call. */
  tools: readonly string[];
  isStreamed: boolean;
  task: TaskName | null;
}

/** Answer of the scripted model. */
export type ScriptedAnswer =
  | { kind: 'text'; text: string }
  | { kind: 'call'; name: string; arguments: object }
  | { kind: 'cut'; text: string };

export function askedChat(body: unknown): AskedChat {
  const { messages, tools, stream } = recordOf(body);
  const asked = listOf(messages).map(({ role, content }) => ({
    role: String(role),
    text: textOf(content),
    hasImage: listOf(content).some(({ type }) => type === 'image_url'),
  }));
  return {
    messages: asked,
    tools: listOf(tools).map((tool) => String(recordOf(tool['function'])['name'])),
    isStreamed: stream === true,
    task: taskOf(asked),
  };
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : []).map(recordOf);
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('\n');

/** Returns the task of the latest user message that names a task. */
function taskOf(messages: readonly AskedMessage[]): TaskName | null {
  for (const { role, text } of messages.toReversed()) {
    const task = role === 'user' ? TASKS.find((name) => text.includes(PROMPTS[name])) : undefined;
    if (task !== undefined) return task;
  }
  return null;
}

/** Arguments for the programs' tools, grouped by the tools' purposes. `folder` is the program's working directory. */
type Arguments = (folder: string) => object;
const READERS: Readonly<Record<string, (file: string) => object>> = {
  Read: (file) => ({ file_path: file }),
  read: (file) => ({ filePath: file }),
  read_file: (file) => ({ file_path: file }),
  view_image: (file) => ({ path: file }),
};
const EDITORS: Readonly<Record<string, Arguments>> = {
  Edit: (folder) => ({ file_path: `${folder}/${NOTES_FILE}`, old_string: 'grey', new_string: 'green' }),
  edit: (folder) => ({
    filePath: `${folder}/${NOTES_FILE}`,
    file_path: `${folder}/${NOTES_FILE}`,
    oldString: 'grey',
    newString: 'green',
    old_string: 'grey',
    new_string: 'green',
  }),
  exec_command: (folder) => ({ cmd: `sed -i s/grey/green/ ${NOTES_FILE}`, workdir: folder }),
  shell_command: (folder) => ({ command: `sed -i s/grey/green/ ${NOTES_FILE}`, workdir: folder }),
  shell: (folder) => ({ command: ['sed', '-i', 's/grey/green/', NOTES_FILE], workdir: folder }),
  exec: () => ({
    input: `const result = await tools.exec_command({ cmd: "sed -i s/grey/green/ ${NOTES_FILE}" });\ntext(JSON.stringify(result));`,
  }),
  replace_in_notes: () => ({ before: 'grey', after: 'green' }),
};

/** Answers a chat. The answer depends on all received messages, so a correct answer proves that none was lost. */
export function scriptedAnswer({ messages, tools, task }: AskedChat, folder: string): ScriptedAnswer {
  const since = messages.slice(
    messages.findLastIndex(({ role, text }) => role === 'user' && task !== null && text.includes(PROMPTS[task])),
  );
  const results = since.filter(({ role }) => role === 'tool').length;
  switch (task) {
    case null:
      return says('Nothing was asked.');
    case 'prompt':
      return says(WORDS.prompt);
    case 'conversation':
      return says(
        messages.some(({ role, text }) => role === 'assistant' && text.includes(WORDS.prompt))
          ? WORDS.conversation
          : 'No turn before this one arrived.',
      );
    case 'failure':
      return { kind: 'cut', text: WORDS.failure };
    case 'image': {
      if (since.some(({ hasImage }) => hasImage)) return says(WORDS.image);
      const reader = tools.find((name) => name in READERS);
      return reader !== undefined && results === 0
        ? { kind: 'call', name: reader, arguments: READERS[reader]?.(`${folder}/${PICTURE_FILE}`) ?? {} }
        : says('No picture arrived.');
    }
    case 'tools': {
      const [reader, editor] = [
        tools.find((name) => name in READERS && name !== 'view_image'),
        tools.find((name) => name in EDITORS),
      ];
      if (editor === undefined) return says('No tool that edits arrived.');
      const calls = [
        ...(reader === undefined
          ? []
          : [{ name: reader, arguments: READERS[reader]?.(`${folder}/${NOTES_FILE}`) ?? {} }]),
        { name: editor, arguments: EDITORS[editor]?.(folder) ?? {} },
      ];
      const next = calls[results];
      return next === undefined ? says(WORDS.tools) : { kind: 'call', ...next };
    }
  }
}

const says = (text: string): ScriptedAnswer => ({ kind: 'text', text });
