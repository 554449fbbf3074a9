/** The build for older browsers (WeChat, Huawei): its page and its worker belong together. It ships no types of its own. */
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export { getDocument, PDFWorker, TextLayer, VerbosityLevel, version } from 'pdfjs-dist';
}
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
