import { deflateSync, crc32 } from 'node:zlib';

/** Tasks that a program has to do. */
export const TASKS = ['prompt', 'conversation', 'tools', 'image', 'failure'] as const;
export type TaskName = (typeof TASKS)[number];

/** Words with which the model answers if it received what the task requires. */
export const WORDS: Readonly<Record<TaskName, string>> = {
  prompt: 'HERON',
  conversation: 'HERON AGAIN',
  tools: 'LANTERN',
  image: 'PICTURE SEEN',
  failure: 'Half an answ',
};

/** Sentences by which the scripted model recognizes tasks. */
export const PROMPTS: Readonly<Record<TaskName, string>> = {
  prompt: 'Say the code word of this exercise.',
  conversation: 'Say the code word once more.',
  tools: 'Replace grey by green in notes.txt.',
  image: 'Look at picture.png and say whether it can be seen.',
  failure: 'Begin an answer that breaks off.',
};

export const NOTES_FILE = 'notes.txt';
export const NOTES = 'The door is grey.\n';
export const EDITED_NOTES = 'The door is green.\n';
export const PICTURE_FILE = 'picture.png';
/** Width and height in pixels. Some programs refuse smaller pictures. */
const PICTURE_SIDE = 64;

/** Returns a red square as a PNG file (ISO/IEC 15948). */
export function picture(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PICTURE_SIDE, 0);
  header.writeUInt32BE(PICTURE_SIDE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: PICTURE_SIDE }, () => [200, 30, 30]).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: PICTURE_SIDE }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
