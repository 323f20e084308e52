// Every command imports this file first: its own code waits until this one is
// through, and never runs where another Node takes over. Not for tests.
import { handOver } from './pinned-node.mjs';
import { isSupportedNode } from './supported-node.mjs';

const asked = process.env.TURNPIKE_NODE;
if (asked ? asked !== process.versions.node : !isSupportedNode(process.versions.node)) await handOver(asked);
