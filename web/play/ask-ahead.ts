import { ASK } from '#web/lib/ask-script.ts';
import { storedName } from '#web/lib/remember.ts';
import { TOLD, UNSENT } from './unsent-name.ts';

/** Written and taken away again, to know whether the browser may remember anything. */
const PROBE = 'play.probe';

/**
 * Runs in the head of course play, before its styles and any of its code have come, and asks for what a film waits for: who is signed in, the directory,
 * then the lesson that the address names or that one goes on with, then the right to play it. Its first part is asked for by the player,
 * which knows where it begins.
 *
 * Where this browser still has to say what was played, or may remember nothing, the lesson is not asked for: it opens where its student was once that has been said
 * (useLeftReports.ts). Nor is it where the page is loaded again: what it said of its place as it went may still be on its way. What another window says
 * of its place meanwhile makes the answers old (`TOLD`).
 *
 * As with the exam's script `send` takes these answers where it would ask for the same (web/lib/asked-ahead.ts).
 */
export const ASK_LESSON_AHEAD = `(function(){var l=location,e=/^\\/course\\/play\\/([1-9]\\d{0,15})\\/?$/i.exec(l.pathname),a={},o={},left=null,p="${storedName(PROBE)}";
if(!e||!window.fetch||!window.URLSearchParams)return;
window.lixueAhead={windowId:null,answers:a,noted:o};
${ASK}
note("${TOLD}");
var u=new URLSearchParams(l.search).get("lesson"),c=ask("/app/course/chapters?packId="+e[1]);ask("/api/user/info");
try{left=localStorage.getItem("${storedName(UNSENT)}");localStorage.setItem(p,"1");localStorage.removeItem(p)}catch(x){left=""}
var v=performance.getEntriesByType&&performance.getEntriesByType("navigation")[0];
if(left!==null||!v||v.type!=="navigate")return;
(/^[1-9]\\d{0,15}$/.test(u)?Promise.resolve(u):c.then(function(f){var g=f&&said(f).current;return g&&g.firstVideoId})).then(function(i){
return i?ask("/app/course/lesson?packId="+e[1]+"&firstVideoId="+i):null}).then(function(f){var m=f&&said(f).videoResourceId;
if(m)ask("/app/video/auth?fileId="+m+"&begins=1")}).catch(function(){})})()`;
