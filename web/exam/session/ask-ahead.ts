import { ASK } from '#web/lib/ask-script.ts';
import { FIRST_QUESTION } from '../screen/first-question.ts';

/**
 * Runs behind the bones of the exam's page, before any of its code has come, and asks for what its first view shows: who is signed in and the
 * paper come beside the code, not after it. A record that the address names is opened at once. A paper that is still to be started is started
 * when all of its code has come (`data-code`: how many files), so that the time of a test does not run while it is on its way; on a line that
 * brought all files but one within two seconds, then: the last takes no longer than these.
 *
 * Where the texts of the paper have formulas, the files that these need are asked for as well (`data-formulas`), once the paper is there.
 * Once paper and record have come, and the sheets of the page, the first question is drawn over the bones where that is safe (first-question.ts).
 *
 * It decides nothing: `send` (web/lib/asked-ahead.ts) takes these answers where it would ask for the same, and asks itself where one is
 * missing, was refused or is old. It is text because the policy of a page names it by its hash, and no build may change it.
 */
export const ASK_AHEAD = `(function(){var l=location,e=/^\\/exam\\/([1-9]\\d{0,15})\\/?$/i.exec(l.pathname),d=document.currentScript.dataset,n=+d.code,asked=false;
if(!e||!window.fetch||!window.URLSearchParams)return;
var u=new URLSearchParams(l.search),r=u.get("record"),w="",a={},o={};
crypto.getRandomValues(new Uint32Array(4)).forEach(function(x){w+=("000000"+x.toString(36)).slice(-7)});
window.lixueAhead={windowId:w,answers:a,noted:o};
${ASK}
function paper(id){return ask("/api/exam/details?recordId="+id).then(function(f){if(f&&f.text.indexOf('"formulas":{')>0)
(d.formulas||"").split(" ").forEach(function(h){if(!h)return;var k=document.createElement("link");k.rel=/css$/.test(h)?"stylesheet":"modulepreload";
k.crossOrigin="";k.href="/"+h;document.head.appendChild(k)});return f})}
function cache(id){return ask("/api/exam/cache?recordId="+id+"&windowId="+w)}
function sheet(k){return k.sheet||new Promise(function(y){k.addEventListener("load",y);k.addEventListener("error",y)})}
function draw(p,c){Promise.all([p,c]).then(function(b){if(b[0]&&b[1]&&!u.get("q")&&b[0].text.length<3e5)
return Promise.all([].map.call(document.querySelectorAll("body link[rel=stylesheet]"),sheet)).then(function(){(${FIRST_QUESTION})(said(b[0]),said(b[1]))})}).catch(function(){})}
var me=ask("/api/user/info");
if(r!==null){if(!/^[1-9]\\d{0,15}$/.test(r))return;
me.then(function(f){if(!f||!said(f).user)return;var p=paper(r);
ask("/app/exam/take_over",JSON.stringify({recordId:+r,windowId:w})).then(function(f){if(f)draw(p,cache(r))})});return}
document.addEventListener("load",function(v){var k=v.target;if(k.rel!=="modulepreload"||--n>1||n<0||asked||n===1&&performance.now()>2000)return;asked=true;
me.then(function(f){if(!f||!said(f).user)return;
ask("/app/exam/test_start?examId="+e[1]+"&windowId="+w).then(function(f){if(!f)return;var id=said(f).recordId;draw(paper(id),cache(id))})})},true)})()`;
