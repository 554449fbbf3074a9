import { resolve } from 'node:path';
import type { Environment } from './environment.ts';
import { type Files, localFiles } from './files.ts';
import { s3Files } from './s3-files.ts';

/** The store that the environment names: one that speaks S3, or a folder in DATA_DIR. Whole paths: FFmpeg works in a folder of its own. */
export function openFiles({ s3, dataDir }: Pick<Environment, 's3' | 'dataDir'>): Files {
  return s3 ? s3Files(s3, resolve(dataDir, 'spool')) : localFiles(resolve(dataDir, 'files'));
}

/** Where work of minutes keeps what is not whole yet. */
export const workFolderOf = ({ dataDir }: Pick<Environment, 'dataDir'>) => resolve(dataDir, 'work');

/**
 * Where encoders of live lessons come to; null: nowhere, or to SRS. They come past the proxy in front of the site, to every address of the machine; to a
 * demo from this machine alone.
 */
export const rtmpOf = ({
  rtmpPort,
  host,
  demo,
  dataDir,
  srs,
}: Pick<Environment, 'rtmpPort' | 'host' | 'demo' | 'dataDir' | 'srs'>) =>
  rtmpPort === null || srs !== null
    ? null
    : { port: rtmpPort, host: demo ? host : '0.0.0.0', folder: resolve(dataDir, 'live') };
