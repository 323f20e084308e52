import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type RenderSettings, renderVideo } from './render-video';

/** Renders one video in this thread, at the lowest priority. On Linux, a priority applies to one thread. */
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW);

const file = await renderVideo(workerData as RenderSettings);
const bytes = new Uint8Array(file);
parentPort?.postMessage(bytes, [bytes.buffer]);
