import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type RenderSettings, renderVideo } from './render-video';

/**
 * A thread that renders one video and ends. On Linux priorities are those of threads: rendering takes what others leave.
 */
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_LOW);

const file = await renderVideo(workerData as RenderSettings);
const bytes = new Uint8Array(file);
parentPort?.postMessage(bytes, [bytes.buffer]);
