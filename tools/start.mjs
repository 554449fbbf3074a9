// `npm start`: installs, builds, migrates, loads the demo pack into an empty database, serves.
// `npm start -- --prepare`: only installs and builds, before a service manager starts the server itself.
import { become, buildWeb, install } from './prepare.mjs';

install();
buildWeb({ sizes: false });
if (!process.argv.includes('--prepare')) become(['server/main.ts']);
